import Dispatch
import GRDB
import ReceiptStore
import Subscriptions
import Synchronization
import TestSupport
import Testing

/// A store of the first release goes on as if this one had made it.
@Suite struct MigrationTests {
  private func oldStore() throws -> TemporaryFolder {
    let folder = TemporaryFolder()
    let file = try DatabaseQueue(path: folder.file("store.sqlite"))
    try file.write { try $0.execute(sql: Schema1.statements + Schema1.filled) }
    return folder
  }

  @Test func everythingKnownIsKeptAndDerivedAnew() throws {
    let folder = try oldStore()
    let store = try ReceiptStore(path: folder.file("store.sqlite"))
    #expect(try store.status(at: day(50), check: true).schemaVersion == "6")
    #expect(try store.status(at: day(50), check: true).integrity == "ok")
    _ = try store.add(World.catalog)
    let refunded = try #require(try store.chains(matching: "1", at: day(50)).first)
    #expect(refunded.lines.map(\.state) == [.revoked])
    #expect(refunded.events.isEmpty && refunded.lines.first?.events.isEmpty == false)
    let upgraded = try #require(try store.chains(matching: "2b", at: day(50)).first)
    #expect(upgraded.lines.first?.state == .active)
    // Half of 10.99 a month, its price from 2026-01-01.
    #expect(upgraded.lines.first?.transactions.first?.proratedRefundMicros == 5_495_000)
    #expect(upgraded.appUserIds == [AppUserID("u")])
    let population = try store.population()
    for panel in Panel.allCases {
      let question = Question(panel: panel, at: day(50), windowDays: 90)
      #expect(differences(try store.report(question), population.report(question)) == [])
    }
    let events = try store.report(Question(panel: .events, at: day(50), windowDays: 90))
    #expect(events.data != .events(EventFigures(count: 0, rows: [])))
  }

  /// What the first release knew of the past is still answered.
  @Test func whatWasKnownThenIsStillKnown() throws {
    let folder = try oldStore()
    let store = try ReceiptStore(path: folder.file("store.sqlite"))
    let then = try #require(try store.chains(matching: "1", at: day(40), asKnownThen: true).first)
    #expect(then.lines.map(\.state) == [.active])
  }

  /// The next answer is compared with what the old store had.
  @Test func theNextAnswerGoesOn() throws {
    let folder = try oldStore()
    let store = try ReceiptStore(path: folder.file("store.sqlite"))
    let back = monthly("1b", 30, 60)
    let outcome = ReceiptOutcome(
      receipt: ReceiptID(rawValue: 1),
      result: .answered(makeAnswer(at: day(52), monthly("1", 0, 30), back), status: 0))
    _ = try store.record([outcome], of: nil, at: day(52))
    let chain = try #require(try store.chains(matching: "1", at: day(52)).first)
    #expect(chain.lines.map(\.state) == [.active])
    #expect(chain.lines.first?.events.contains { $0.type == .refundReversed } == true)
  }

  @Test func readingAloneChangesNothing() throws {
    let folder = try oldStore()
    #expect(try ReceiptStore.isOutdated(folder.file("store.sqlite")))
    #expect(throws: StoreError.self) {
      try ReceiptStore(path: folder.file("store.sqlite"), access: .readOnly)
    }
    let version = try DatabaseQueue(path: folder.file("store.sqlite")).read {
      try String.fetchAll($0, sql: "SELECT identifier FROM grdb_migrations")
    }
    #expect(version == ["1"])
    _ = try ReceiptStore(path: folder.file("store.sqlite"))
    #expect(try !ReceiptStore.isOutdated(folder.file("store.sqlite")))
    #expect(try !ReceiptStore.isOutdated(folder.file("nothing")))
  }

  /// A store of the second release: contents move, sweeps and everything else stays.
  @Test func theSecondReleaseGoesOn() throws {
    let folder = TemporaryFolder()
    let path = folder.file("store.sqlite")
    do {
      let file = try DatabaseQueue(path: path)
      let first = Schema1.statements + Schema1.filled
      try file.write { try $0.execute(sql: first + Schema2.statements + Schema2.filled) }
    }
    #expect(try ReceiptStore.isOutdated(path))
    let store = try ReceiptStore(path: path)
    #expect(try !ReceiptStore.isOutdated(path))
    let status = try store.status(at: day(50), check: true, withQueue: true)
    #expect(status.schemaVersion == "6" && status.integrity == "ok" && status.receipts == 5)
    #expect(status.lastSweep?.stopped == "unreachable" && status.lastSweep?.finishedAtMs == day(50))
    let sweeps = try store.sweeps(limit: 9, at: day(51))
    #expect(sweeps.map(\.id.rawValue) == [2, 1] && sweeps.map(\.state) == [.finished, .finished])
    #expect(sweeps.map(\.newTransactions) == [0, 5] && sweeps.map(\.startedBy) == ["", ""])
    #expect(status.queue?.dead.map(\.reason) == ["not authentic"] && status.queue?.retrying == 1)
    let sweep = try store.beginSweep(.all, by: "test", at: day(60))
    let claim = try store.claim(
      .all, for: sweep, started: day(60), after: nil, limit: 9, lease: 1000, at: day(60))
    #expect(claim.receipts.map(\.data.base64) == ["MIIB", "MIIC", "MIIE"])
    #expect(claim.receipts.map(\.failingSince) == [nil, day(40), nil])
    #expect(claim.receipts.map(\.lastFullAnswer) == [day(50), nil, nil])
    #expect(try store.count(of: .dead, at: day(60)).free == 1 && store.count(of: .due, at: day(60)).free == 0)
    let views = try DatabaseQueue(path: path).read { db in
      try String.fetchAll(db, sql: "SELECT name FROM sqlite_master WHERE type = 'view' ORDER BY name").map {
        ($0, try Int.fetchOne(db, sql: "SELECT count(*) FROM \($0)") ?? 0)
      }
    }
    #expect(
      views.map(\.0) == [
        "events", "transactions", "v_events", "v_lines", "v_receipts", "v_refunds", "v_sweeps",
        "v_transactions", "v_upgrades",
      ])
    #expect(views.first { $0.0 == "v_receipts" }?.1 == 5 && views.first { $0.0 == "v_sweeps" }?.1 == 3)
  }

  struct Opening: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var statements: String?
  }

  /// Whoever comes first makes it or brings it up to date, and the others wait.
  @Test(arguments: [
    Opening(testDescription: "there is none yet", statements: nil),
    Opening(testDescription: "of the first release", statements: Schema1.statements + Schema1.filled),
  ])
  func severalOpenItAtOnce(_ opening: Opening) throws {
    for _ in 0..<5 {
      let folder = TemporaryFolder()
      let path = folder.file("store.sqlite")
      if let statements = opening.statements {
        try DatabaseQueue(path: path).write { try $0.execute(sql: statements) }
      }
      let failures = Mutex<[String]>([])
      DispatchQueue.concurrentPerform(iterations: 4) { _ in
        do { _ = try ReceiptStore(path: path) } catch { failures.withLock { $0.append("\(error)") } }
      }
      #expect(failures.withLock { $0 } == [])
      #expect(try ReceiptStore(path: path).status(at: day(1), check: true).integrity == "ok")
    }
  }
}
