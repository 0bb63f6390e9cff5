import FakeAppStore
import Glibc
import Subscriptions
import TestSupport
import Testing

/// A killed sweep must not store a partial history as complete, nor a revision ahead of its rows.
@Suite("Killed sweeps", .tags(.long)) struct KillTests {
  struct Way: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var source = Killing.Source.verifyReceipt
    /// Number of receipts; small for the Server API, since half of the histories have several pages.
    var receipts = 60
    var asksForAll = true

    func life(latency: Int64 = 0) async throws -> Killing {
      let appStore = try await ObservedAppStore {
        $0.latency = latency
        // Requests are limited per app and second.
        if source == .serverAPI { $0.apps = ObservedAppStore.apps }
      }
      return try await Killing(appStore, receipts: receipts, asksForAll: asksForAll, through: source)
    }
  }

  static let ways = [
    Way(testDescription: "through verifyReceipt"),
    Way(testDescription: "through verifyReceipt, for what is new", asksForAll: false),
    Way(testDescription: "through the Server API", source: .serverAPI, receipts: 48, asksForAll: false),
  ]

  /// Times of the sweeps in milliseconds after the start: new receipts, and forty days later.
  private static let seasons: [Int64] = [0, 40 * Milliseconds.day]

  private struct Quiet {
    var portrait: StorePortrait
    var requests: Int
    var transactions: Int64
  }

  @Test(arguments: ways) func leaveAUsableStore(_ way: Way) async throws {
    let quiet = try await undisturbed(way)
    var (kills, late, lives) = (0, 0, 0)
    while kills < SoakSize.kills / 2 {
      var random = Seeded(UInt64(lives) &+ 1)
      let life = try await way.life(latency: 15)
      for (season, expected) in zip(Self.seasons, quiet) {
        life.appStore.clock.advance(by: season)
        for round in 0..<Int.random(in: 1...4, using: &random) {
          // After forty days no receipt is due, since the machine's clock advanced by seconds only.
          let isDue = way.source == .verifyReceipt && round.isMultiple(of: 2) == false && season == 0
          let left = isDue ? way.receipts - (try life.answered()) : expected.requests
          let moment = Moment.random(of: max(left, 1), &random)
          if try await life.sweepKilled(isDue ? "--due" : "--all", moment) { kills += 1 } else { late += 1 }
          try await life.isSound("life \(lives), kill \(kills): \(moment)")
          #expect(try life.transactions() <= expected.transactions, "more than there ever was")
        }
        try await goesOn(life, to: expected, way, "life \(lives), \(season / Milliseconds.day) days")
      }
      lives += 1
    }
    print(
      "killed sweeps \(way.testDescription): \(kills) of \(lives) stores (\(late) more had ended before); every store whole, "
        + "as a rebuild and as one never killed")
  }

  private func undisturbed(_ way: Way) async throws -> [Quiet] {
    let life = try await way.life()
    var quiet: [Quiet] = []
    for season in Self.seasons {
      life.appStore.clock.advance(by: season)
      let before = life.appStore.server.traffic.requests
      let outcome = try await life.sweep()
      try #require(outcome.ending == .code(0), "\(outcome.errors)")
      quiet.append(
        Quiet(
          portrait: try life.portrait(), requests: life.appStore.server.traffic.requests - before,
          transactions: try life.transactions()))
    }
    // Otherwise no kill could occur between two pages.
    try #require(way.source == .verifyReceipt || quiet[0].requests > way.receipts * 3)
    try #require(quiet[1].transactions > quiet[0].transactions)
    return quiet
  }

  /// An uninterrupted sweep must take over all leases and give the same result.
  private func goesOn(_ life: Killing, to expected: Quiet, _ way: Way, _ what: String) async throws {
    let last = try await life.sweep()
    #expect(last.ending == .code(0), "\(last.errors)")
    #expect(try last.json["picked"]?.integer == way.receipts, "\(what)")
    try await life.isSound("\(what), at the end")
    #expect(try life.portrait().differences(from: expected.portrait) == [], "\(what)")
    #expect(try life.store.lastLeaseEnd() == nil)
  }
}
