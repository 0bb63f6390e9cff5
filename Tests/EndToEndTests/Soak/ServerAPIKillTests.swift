import FakeAppStore
import Glibc
import Subscriptions
import TestSupport
import Testing

/// Sweeps over the Server API that are killed in the middle of histories of several pages: half a history is never kept as a whole one,
/// and the revision that is gone on from is never ahead of the rows.
@Suite("Killed sweeps over the Server API")
struct ServerAPIKillTests {
  private static let receipts = 48

  /// A life: customers whom nobody has asked about, and the same forty days later, when their histories go on.
  private static let seasons: [Int64] = [0, 40 * Milliseconds.day]

  @Test func pagesAreNeitherLostNorDoubled() async throws {
    let quiet = try await undisturbed()
    var tally = Tally()
    while tally.kills < SoakSize.kills {
      var random = Seeded(UInt64(tally.lives) &+ 500)
      let appStore = try await Self.appStore(latency: 10)
      let life = try await Self.life(appStore)
      for (season, expected) in zip(Self.seasons, quiet) {
        appStore.clock.advance(by: season)
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          let moment = Moment.random(of: expected.requests, &random)
          if try await life.sweepKilled("--all", moment) { tally.kills += 1 } else { tally.late += 1 }
          try await life.isSound("life \(tally.lives), kill \(tally.kills): \(moment)")
          tally.partial += try Self.isPartial(life, of: expected) ? 1 : 0
        }
        try await goesOn(life, to: expected, "life \(tally.lives), \(season / Milliseconds.day) days")
      }
      tally.lives += 1
    }
    print(
      "killed sweeps over the Server API: \(tally.kills) of \(tally.lives) stores (\(tally.late) more had ended before), "
        + "\(tally.partial) left a part of the customers; every store whole, as a rebuild and as one never killed"
    )
  }

  private struct Tally {
    var (kills, late, lives, partial) = (0, 0, 0, 0)
  }

  /// What a store comes to that nobody disturbs, and in how many requests.
  private struct Quiet {
    var portrait: StorePortrait
    var requests: Int
    var transactions: Int64
  }

  private static func appStore(latency: Int64 = 0) async throws -> ObservedAppStore {
    try await ObservedAppStore {
      // So many requests a second go to each app.
      ($0.apps, $0.latency) = (ObservedAppStore.apps, latency)
    }
  }

  private static func life(_ appStore: ObservedAppStore) async throws -> Killing {
    try await Killing(appStore, receipts: receipts, asksForAll: false, through: .serverAPI)
  }

  private func undisturbed() async throws -> [Quiet] {
    let appStore = try await Self.appStore()
    let life = try await Self.life(appStore)
    var quiet: [Quiet] = []
    for season in Self.seasons {
      appStore.clock.advance(by: season)
      let before = appStore.server.requestCount
      let outcome = try await life.sweep()
      try #require(outcome.ending == .code(0), "\(outcome.errors)")
      try #require(try outcome.json["validated"]?.integer == Self.receipts, "\(outcome.output)")
      quiet.append(
        Quiet(
          portrait: try life.portrait(), requests: appStore.server.requestCount - before,
          transactions: try life.transactions()))
    }
    // Otherwise no kill could come between two pages.
    try #require(quiet[0].requests > Self.receipts * 3)
    try #require(quiet[1].transactions > quiet[0].transactions)
    return quiet
  }

  private static func isPartial(_ life: Killing, of expected: Quiet) throws -> Bool {
    let transactions = try life.transactions()
    #expect(transactions <= expected.transactions, "more than there ever was")
    return transactions > 0 && transactions < expected.transactions
  }

  /// An uninterrupted sweep makes of it what it would have been, at once: what the killed held is its.
  private func goesOn(_ life: Killing, to expected: Quiet, _ what: String) async throws {
    let last = try await life.sweep()
    #expect(last.ending == .code(0), "\(last.errors)")
    #expect(try last.json["validated"]?.integer == Self.receipts, "\(what)")
    try await life.isSound("\(what), at the end")
    let differences = try life.portrait().differences(from: expected.portrait)
    #expect(differences == [], "\(what)")
    #expect(try life.store.lastLeaseEnd() == nil)
    let status = try await life.subtop.run("status", "--check", "--format", "json")
    #expect(try status.ending == .code(0) && status.json["integrity"]?.text == "ok", "\(status.errors)")
  }
}
