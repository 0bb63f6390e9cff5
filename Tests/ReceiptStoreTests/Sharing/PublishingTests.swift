import Foundation
import GRDB
import Glibc
import ReceiptStore
import Sharing
import Subscriptions
import TestSupport
import Testing

/// Publishing in steps, with interruptions, and the failures of `subtop help team`.
@Suite(.enabled(if: PostgresServer.programs != nil, "\(PostgresServer.missing)")) struct PublishingTests {
  private struct Killed: Error {}

  @Test func publishingAgainChangesNoByte() throws {
    let lived = try LivedWorld(3)
    let team = try Team(now: lived.last)
    let first = try team.publish(lived.store)
    #expect(first.chains > 0 && first.sums > 0)
    let before = try team.contents()
    let again = try team.publish(lived.store)
    #expect(again.chains == 0 && again.sums == 0)
    #expect(try team.contents() == before)
    // A rebuild journals everything, but changes nothing.
    try lived.store.rebuild()
    let rebuilt = try team.publish(lived.store)
    #expect(rebuilt.chains == first.chains && rebuilt.changedChains == 0)
    let after = try Set(team.contents().map(withoutCommit))
    #expect(after.symmetricDifference(before.map(withoutCommit)) == [])
    #expect(try team.differences(lived.store) == [])
  }

  /// Row of the schema without the number of the commit that wrote a sum.
  private func withoutCommit(_ row: String) -> String {
    row.hasPrefix("sums ") ? String(row.prefix(upTo: row.lastIndex(of: ",") ?? row.endIndex)) : row
  }

  @Test func aUserWhoIsNamedLaterIsFound() throws {
    let (shelf, team) = (try Shelf(), try Team(now: day(100)))
    let data = ReceiptData(trusted: "MIIB")
    let receipt = try shelf.keep(ImportedReceipt(data: data, appUserID: nil))
    // The subscription expired before the answer, so no row names the user, except for the search.
    try shelf.take(makeAnswer(at: day(60), monthly("1", 0, 30)), for: receipt)
    try team.publish(shelf.store)
    _ = try shelf.store.add([ImportedReceipt(data: data, appUserID: AppUserID("anna"))], at: day(61))
    try team.publish(shelf.store)
    #expect(try team.differences(shelf.store) == [])
    #expect(try team.open().chains(matching: "anna", at: day(99)).count == 1)
  }

  @Test func aStoreThatDoesNotPublishKeepsNoJournal() throws {
    let lived = try LivedWorld(3)
    try lived.shelf.raw { db in
      for table in ["publication", "published_classes", "changed_chains", "changed_sums"] {
        let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table)")
        #expect(count == 0, "\(table)")
      }
    }
  }

  /// Steps to interrupt, and whether in a later run, in which no pages are published.
  private static let kills: [(Publisher.Step, Bool)] =
    Publisher.Step.allCases.map { ($0, false) }
    + Publisher.Step.allCases.filter { $0 != .pagePublished }.map { ($0, true) }

  /// A run that is interrupted at any step is completed by the next run.
  @Test(arguments: kills)
  func afterAKillNothingIsLostOrDoubled(_ step: Publisher.Step, _ isLater: Bool) throws {
    let world = World(seed: 11)
    let shelf = try Shelf()
    let team = try Team(now: day(200))
    if isLater {
      try shelf.live(world, until: day(50))
      try team.publish(shelf.store)
      try shelf.live(world)
    } else {
      try shelf.live(world)
    }
    let publisher = team.publisher(of: shelf.store)
    var isHit = false
    publisher.interruption = { reached in
      guard reached == step else { return }
      isHit = true
      throw Killed()
    }
    // More failed runs than the number of tokens that a store remembers.
    for _ in 0..<(isLater ? 12 : 1) {
      isHit = false
      #expect(throws: Killed.self) { try publisher.publish() }
      #expect(isHit)
    }
    try team.publish(shelf.store)
    #expect(try team.differences(shelf.store) == [])
    #expect(try team.publish(shelf.store).chains == 0)
  }

  @Test(arguments: seeds(100, sanitized: 2)) func randomKillsLoseNothing(_ seed: UInt64) throws {
    var random = Seeded(seed &+ 99)
    let (world, shelf) = (World(seed: seed), try Shelf())
    let team = try Team(now: day(200))
    for end in [20, 60, 200] {
      try shelf.live(world, until: day(end))
      for _ in 0..<2 {
        let publisher = team.publisher(of: shelf.store)
        var left = Int.random(in: 0...9, using: &random)
        publisher.interruption = { _ in
          left -= 1
          if left == 0 { throw Killed() }
        }
        do { _ = try publisher.publish() } catch is Killed {}
      }
    }
    try team.publish(shelf.store)
    #expect(try team.differences(shelf.store) == [])
    let question = Question(panel: .movement, at: day(199).hourEnd, windowDays: 365, environment: .all)
    #expect(differences(try team.open().report(question), try shelf.store.report(question)) == [])
  }

  @Test func aLostConnectionPublishesNothing() throws {
    let lived = try LivedWorld(4)
    let team = try Team(now: lived.last)
    let publisher = team.publisher(of: lived.store)
    publisher.interruption = { if $0 == .beforeCommit { try team.endConnections() } }
    let error = #expect(throws: PostgresError.self) { try publisher.publish() }
    #expect(error?.kind == .unreachable)
    #expect(try SharedRows(team.server("one")).parts().map(\.isReady) == [false])
    try team.publish(lived.store)
    #expect(try team.differences(lived.store) == [])
  }

  @Test func anotherStoreMayReplaceAPartOnlyOnRequest() throws {
    let (first, second) = (try LivedWorld(5), try LivedWorld(6))
    let team = try Team(now: first.last)
    try team.publish(first.store)
    let error = #expect(throws: PostgresError.self) { try team.publish(second.store) }
    #expect(error?.description.contains("by another store") == true)
    #expect(try team.differences(first.store) == [])
    try team.publish(second.store, all: true)
    #expect(try team.differences(second.store) == [])
    #expect(throws: PostgresError.self) { try team.publish(first.store) }
  }

  private static let damages: [(sql: String, finding: String)] = [
    ("UPDATE transaction_rows SET expires_date_ms = expires_date_ms + 1", "differ from the store's"),
    ("UPDATE documents SET document = replace(document, '9', '8')", "differ from the store's"),
    ("DELETE FROM ids", "differ from the store's"), ("DELETE FROM lines", "differ from the store's"),
    ("DELETE FROM chains", "differ from the store's"),
    ("UPDATE sums SET packed = '' WHERE grain = 1", "team totals that differ"),
    ("DELETE FROM part_sums WHERE grain = 1", "sums that are missing"),
  ]

  /// Publishing everything again repairs changed rows, and readers keep their figures until it commits.
  @Test(arguments: damages) func changedRowsAreFoundAndRepaired(_ sql: String, _ finding: String) throws {
    let lived = try LivedWorld(5)
    let team = try Team(now: lived.last)
    try team.publish(lived.store)
    let before = try Set(team.contents().map(withoutCommit))
    try SharedDump.run("SET search_path = \"\(team.schemaName)\"; \(sql)", team.server("one"))
    let found = try team.differences(lived.store)
    #expect(found.contains { $0.contains(finding) }, "\(found)")
    let publisher = team.publisher(of: lived.store)
    publisher.interruption = { step in
      guard step == .beforeCommit else { return }
      let areReady = try SharedRows(team.server("one")).parts().map(\.isReady)
      #expect(areReady == [true])
    }
    _ = try publisher.publish(all: true)
    #expect(try team.differences(lived.store) == [])
    #expect(try Set(team.contents().map(withoutCommit)) == before)
  }

  @Test func aRemovedPartLeavesTheOthers() throws {
    let team = try Team(now: day(200))
    let shelves = try World(seed: 8).divided(among: 2).map { world in
      let shelf = try Shelf()
      try shelf.live(world)
      return shelf
    }
    let (first, second) = (shelves[0].store, shelves[1].store)
    try team.publish(first, as: "a")
    let question = Question(panel: .movement, at: day(199).hourEnd, windowDays: 365, environment: .all)
    let before = try team.open().report(question)
    try team.publish(second, as: "b")
    try Publisher.remove(part: "b", from: team.server("a"))
    #expect(differences(try team.open().report(question), before) == [])
    #expect(try team.differences(first, as: "a") == [])
    for table in ["figures", "terms", "part_sums"] {
      let parts = try SharedDump.rows("SELECT DISTINCT part FROM \(table)", team.server("a"))
      #expect(parts.count == 1, "\(table)")
    }
    #expect(throws: PostgresError.self) { try Publisher.remove(part: "", from: team.server("a")) }
    try team.publish(second, as: "b")
    #expect(try team.differences(second, as: "b") == [])
  }

  /// The figures published for a day equal those of `report` at its end, whenever they were published.
  @Test func figuresByDay() throws {
    let (world, shelf) = (World(seed: 12), try Shelf())
    let team = try Team(now: day(40))
    team.figureDays = 30
    try shelf.live(world, until: day(40))
    try team.publish(shelf.store)
    try shelf.live(world)
    team.now = day(200)
    try team.publish(shelf.store)
    let found = try SharedDump.rows(
      "SELECT day, figure, value FROM v_figures WHERE product IS NULL AND currency IS NULL", team.server(""))
    var checked = 0
    for number in 160..<200 {
      let at = day(number + 1) - 1
      let report = try shelf.store.report(Question(panel: .active, at: at, windowDays: 1))
      let date = CivilDate(daysSince1970: Int(flooredQuotient(at.rawValue, over: Milliseconds.day)))
      for path in report.data.paths {
        guard case .count(let count)? = report.data[value: path] else { continue }
        let row = "(\(date),active.\(path),\(count))"
        #expect(found.contains(row) == (number >= 170), "\(row)")
        checked += 1
      }
    }
    #expect(checked > 40)
  }

  @Test func anOlderCopyOfTheStoreIsRefused() throws {
    let (world, shelf) = (World(seed: 12), try Shelf())
    let team = try Team(now: day(200))
    try shelf.live(world, until: day(40))
    try team.publish(shelf.store)
    let copy = shelf.folder.file("copy.sqlite")
    try shelf.store.backUp(to: copy, replacing: false, unfinished: UnfinishedCopy()) { _, _ in }
    try shelf.live(world)
    try team.publish(shelf.store)
    let restored = try ReceiptStore(path: copy, access: .existing)
    #expect(throws: PostgresError.self) { try team.publish(restored) }
    try team.publish(restored, all: true)
    #expect(try team.differences(restored) == [])
  }

  @Test func twoPublishersOfAPartTakeTurns() async throws {
    let lived = try LivedWorld(7)
    let team = try Team(now: lived.last)
    let (store, server, now) = (lived.store, team.server("one"), lived.last)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<3 {
        group.addTask {
          // A publisher that finds the part taken tries again, as the timer does.
          for attempt in 0..<200 {
            do {
              _ = try Publisher(server, of: store) { now }.publish()
              return
            } catch let error as PostgresError where error.kind == .unsuitable && attempt < 199 {}
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try team.differences(lived.store) == [])
  }

  @Test func partsInDifferentCurrenciesAreNotAddedUp() throws {
    let (plain, converted) = (try LivedWorld(8), try LivedWorld(9, .converted))
    let team = try Team(now: plain.last)
    try team.publish(plain.store, as: "a")
    try team.publish(converted.store, as: "b")
    let reader = try team.open()
    let question = Question(panel: .active, at: plain.last.hourEnd, windowDays: 28)
    let error = #expect(throws: StoreError.self) { try reader.report(question) }
    #expect(error?.description.contains("the parts a and b have different") == true)
    let id = try #require(World(seed: 8).stories.first?.answers.first?.transactions.first?.transactionID)
    #expect(try !reader.chains(matching: id.rawValue, at: plain.last).isEmpty)
  }

  @Test func aPartThatIsLateLimitsTheFigures() throws {
    let (first, second) = (try LivedWorld(8), try LivedWorld(9))
    let team = try Team(now: day(100))
    try team.publish(first.store, as: "late")
    team.now = day(100) + 5.hours + 1
    try team.publish(second.store, as: "new")
    let state = try #require(try team.open().readShared())
    #expect(state.at == day(100).hourEnd)
    #expect(state.late.map(\.name) == ["late"])
  }

  @Test func certificatesAreVerified() throws {
    let server = try PostgresServer.secure.get()
    func probe(
      _ host: String, _ trusted: PostgresServer.Certificate
    ) throws -> Bool {
      let connection = server.connection(host: host, trusting: trusted)
      return try SharedRows(SharedServer(connection: connection, schema: "none", part: "one")).probe().usesTLS
    }
    #expect(try probe("localhost", .good))
    let refusals: [(String, PostgresServer.Certificate, String)] = [
      ("localhost", .other, "certificate verify failed"), ("db.example.com", .good, "does not match"),
      ("localhost", .expired, "certificate verify failed"),
    ]
    for (host, trusted, words) in refusals {
      if trusted == .expired {
        let own = SharedServer(connection: server.connection, schema: "none", part: "one")
        for file in ["ssl_cert_file = 'expired.crt'", "ssl_key_file = 'expired.key'"] {
          try SharedDump.run("ALTER SYSTEM SET \(file)", own)
        }
        try SharedDump.run("SELECT pg_reload_conf()", own)
        // The server takes the new settings soon after.
        var tries = 0
        while tries < 5000, (try? probe("localhost", .good)) != nil {
          tries += 1
          usleep(20_000)
        }
      }
      let error = #expect(throws: PostgresError.self) { try probe(host, trusted) }
      #expect(
        error?.kind == .refused && error?.description.contains(words) == true, "\(error?.description ?? "")")
    }
  }

  private static let refused: [(connection: String, part: String)] = [
    ("host=pg.example.com dbname=x", "add sslmode=verify-full"),
    ("host=pg.example.com dbname=x sslmode=require", "add sslmode=verify-full"),
    ("host=127.0.0.1,10.0.0.1 dbname=x", "add sslmode=verify-full"),
    ("host=127.example.com dbname=x", "add sslmode=verify-full"),
    ("postgresql://pg.example.com/x", "add sslmode=verify-full"),
    ("host=/tmp password=secret", "put it in a file"), ("host=/tmp nonsense=1", "not a connection string"),
    ("host=/nonexistent\u{1B}[31m dbname=x", "cannot connect to x on /nonexistent?[31m"),
  ]

  @Test(arguments: refused) func connectionsAreChecked(_ connection: String, _ part: String) {
    let server = SharedServer(connection: connection, schema: "none", part: "one")
    let error = #expect(throws: PostgresError.self) { try SharedRows(server).parts() }
    #expect(error?.description.contains(part) == true, "\(error?.description ?? "")")
    #expect(error?.description.contains("secret") != true)
  }

  @Test func whoMayOnlyReadCannotPublish() throws {
    let lived = try LivedWorld(10)
    let team = try Team(now: lived.last)
    try team.publish(lived.store)
    let reader = try team.makeReader()
    #expect(try SharedRows(reader).parts().map(\.name) == ["one"])
    let error = #expect(throws: PostgresError.self) {
      try Publisher(reader, of: lived.store) { lived.last }.publish()
    }
    #expect(error?.kind == .notPermitted)
  }

  @Test func aSchemaOfAnotherVersionIsNamed() throws {
    let lived = try LivedWorld(10)
    let server = SharedServer(
      connection: try PostgresServer.shared.get().connection, schema: "nobodys", part: "one")
    let error = #expect(throws: PostgresError.self) {
      try Publisher(server, of: lived.store) { lived.last }.publish()
    }
    #expect(error?.description.contains("run `subtop publish --init` once") == true)
  }
}
