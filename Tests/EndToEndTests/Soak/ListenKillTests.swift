import FakeAppStore
import GRDB
import Glibc
import Subscriptions
import Synchronization
import TestSupport
import Testing

/// `subtop listen` killed while deliveries pour in: what it answered 200 is in the store, none of it twice, and what comes again
/// afterwards, as Apple sends what was not taken, makes the store that was never killed.
@Suite("A killed listener", .tags(.long))
struct ListenKillTests {
  private static let receipts = 16
  private static let days: Int64 = 60
  /// Over so many connections at once.
  private static let senders = 8

  @Test func whatWasAnsweredIsThereOnce() async throws {
    let appStore = try await ObservedAppStore {
      ($0.apps, $0.subscribers) = (ObservedAppStore.apps, 150)
    }
    let bodies = try await appStore.notifications(ofDays: Self.days)
    try #require(bodies.count > 120)
    let quiet = try await Killing(appStore, receipts: Self.receipts, asksForAll: false, through: .serverAPI)
    try await receiveAll(bodies, by: quiet)
    let expected = try quiet.portrait()
    let swept = try await Self.swept(quiet)
    var tally = Tally()
    while tally.kills < SoakSize.kills / 2 {
      var random = Seeded(UInt64(tally.lives) &+ 900)
      let life = try await Killing(appStore, receipts: Self.receipts, asksForAll: false, through: .serverAPI)
      for _ in 0..<Int.random(in: 2...6, using: &random) {
        try await tally.kill(life, bodies.shuffled(using: &random), &random)
      }
      try await receiveAll(bodies.shuffled(using: &random), by: life)
      let differences = try life.portrait().differences(from: expected)
      #expect(differences == [], "life \(tally.lives)")
      let afterwards = try await Self.swept(life).differences(from: swept)
      #expect(afterwards == [], "life \(tally.lives), swept")
      tally.lives += 1
    }
    print(
      "killed listeners: \(tally.kills) of \(tally.lives) stores, \(tally.answered) of \(tally.posted) deliveries answered before, "
        + "all of them there and none twice; every store whole, as a rebuild and as one never killed")
  }

  private struct Tally {
    var (kills, lives, posted, answered) = (0, 0, 0, 0)

    mutating func kill(_ life: Killing, _ bodies: [String], _ random: inout Seeded) async throws {
      let (child, port) = try await ListenKillTests.listen(life)
      let most = Int.random(in: 0...min(bodies.count / 2, 200), using: &random)
      let answered = Mutex(0)
      let poured = Task {
        await ListenKillTests.pour(bodies, into: port) { _ in answered.withLock { $0 += 1 } }
      }
      try await soon("\(most) deliveries are answered: \(child.errors)", every: 1) {
        answered.withLock { $0 } >= most ? true : nil
      }
      let ending = try await life.killed(child, .early(Int64.random(in: 0..<20, using: &random)))
      #expect(ending, "the listener was there to be killed")
      let accepted = await poured.value
      kills += 1
      posted += bodies.count
      self.answered += accepted.count
      let kept = try ListenKillTests.kept(life)
      #expect(accepted.subtracting(kept).isEmpty, "life \(lives), kill \(kills)")
      try await life.isSound("life \(lives), kill \(kills)")
    }
  }

  private static func listen(_ life: Killing) async throws -> (child: Child, port: Int) {
    let child = try life.subtop.start(["listen", "--port", "0", "--config", life.configuration()])
    let port = try await soon("it listens: \(child.errors)") {
      child.output.split(separator: "\n").first.flatMap { Int($0.split(separator: ":").last ?? "") }
    }
    return (child, port)
  }

  /// Posts them over several connections until all are posted or nobody answers.
  ///
  /// - Returns: the UUIDs of those that were answered 200.
  private static func pour(
    _ bodies: [String], into port: Int, answered: @escaping @Sendable (Int) -> Void
  ) async -> Set<String> {
    await withTaskGroup(of: Set<String>.self) { group in
      for sender in 0..<senders {
        group.addTask {
          var accepted: Set<String> = []
          guard let client = LoopbackClient(port: port) else { return accepted }
          for place in stride(from: sender, to: bodies.count, by: senders) {
            let status = await client.post(bodies[place]).status
            guard status != 0 else { break }
            #expect(status == 200)
            if let uuid = SignedBody(bodies[place])?.uuid { accepted.insert(uuid) }
            answered(status)
          }
          return accepted
        }
      }
      return await group.reduce(into: Set<String>()) { $0.formUnion($1) }
    }
  }

  private func receiveAll(_ bodies: [String], by life: Killing) async throws {
    let (child, port) = try await Self.listen(life)
    let accepted = await Self.pour(bodies, into: port) { _ in }
    kill(child.pid, SIGTERM)
    #expect(try await child.ending() == .code(0), "\(child.errors)")
    let kept = try Self.kept(life)
    #expect(accepted.count == bodies.count && kept == accepted)
    let status = try await life.subtop.run("status", "--format", "json")
    #expect(try status.json["inbox"]?.integer == 0, "\(status.errors)")
    try await life.isSound("all received")
  }

  /// Every notification in a store, also those that are still to be taken; that none is there twice was looked at.
  private static func kept(_ life: Killing) throws -> Set<String> {
    let (taken, waiting) = try DatabaseQueue(path: life.store.path).read { db in
      (
        try String.fetchAll(db, sql: "SELECT uuid FROM notifications"),
        try String.fetchAll(db, sql: "SELECT uuid FROM inbox")
      )
    }
    #expect(Set(taken).count == taken.count && Set(waiting).count == waiting.count, "one is there twice")
    return Set(taken + waiting)
  }

  /// What is known when everybody was asked about besides.
  private static func swept(_ life: Killing) async throws -> StorePortrait {
    let outcome = try await life.sweep()
    #expect(try outcome.json["validated"]?.integer ?? 0 >= receipts, "\(outcome.errors)")
    try await life.isSound("swept")
    let status = try await life.subtop.run("status", "--check", "--format", "json")
    #expect(try status.ending == .code(0) && status.json["integrity"]?.text == "ok", "\(status.errors)")
    return try life.portrait()
  }
}
