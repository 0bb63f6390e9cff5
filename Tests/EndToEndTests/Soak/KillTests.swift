import FakeAppStore
import Glibc
import Subscriptions
import TestSupport
import Testing

/// Programs that are killed at any instant never leave a store worse than they found it.
@Suite("Killed programs")
struct KillTests {
  private static let receipts = 120

  /// A life: receipts that nobody has asked about, and the same forty days later, when much has changed.
  private static let seasons: [Int64] = [0, 40 * Milliseconds.day]

  @Test func sweepsLeaveAStoreThatOthersGoOnWith() async throws {
    let quiet = [
      true: try await undisturbed(asksForAll: true), false: try await undisturbed(asksForAll: false),
    ]
    var tally = Tally()
    while tally.kills < SoakSize.kills {
      var random = Seeded(UInt64(tally.lives) &+ 1)
      let appStore = try await ObservedAppStore { $0.latency = 15 }
      let asksForAll = tally.lives.isMultiple(of: 2)
      let life = try await Killing(appStore, receipts: Self.receipts, asksForAll: asksForAll)
      for (season, portrait) in zip(Self.seasons, quiet[asksForAll] ?? []) {
        appStore.clock.advance(by: season)
        for round in 0..<Int.random(in: 1...4, using: &random) {
          // Forty days later nothing is due by the machine's clock, which went on for seconds.
          let selection = round.isMultiple(of: 2) || season > 0 ? "--all" : "--due"
          let rest = selection == "--due" ? Self.receipts - (try life.answered()) : Self.receipts
          try await tally.count(life, selection, .random(of: max(rest, 1), &random))
        }
        try await goesOn(life, to: portrait, &tally)
      }
      tally.lives += 1
    }
    print(
      "killed sweeps: \(tally.kills) of \(tally.lives) stores (\(tally.late) more had ended before), "
        + "\(tally.swept) receipts swept afterwards; every store whole, as a rebuild and as one never killed")
  }

  private struct Tally {
    var (kills, late, lives, swept) = (0, 0, 0, 0)

    mutating func count(_ life: Killing, _ selection: String, _ moment: Moment) async throws {
      if try await life.sweepKilled(selection, moment) { kills += 1 } else { late += 1 }
      try await life.isSound("life \(lives), kill \(kills): \(selection), \(moment)")
    }
  }

  /// An uninterrupted sweep makes of it what it would have been, at once: what the killed held is its.
  private func goesOn(_ life: Killing, to portrait: StorePortrait, _ tally: inout Tally) async throws {
    let last = try await life.sweep()
    #expect(last.ending == .code(0), "\(last.errors)")
    #expect(try last.json["picked"]?.integer == Self.receipts)
    tally.swept += try #require(last.json["picked"]?.integer)
    try await life.isSound("life \(tally.lives), at the end")
    let differences = try life.portrait().differences(from: portrait)
    #expect(differences == [], "life \(tally.lives)")
    #expect(try life.store.lastLeaseEnd() == nil)
  }

  /// What a store comes to that nobody disturbs, season by season.
  private func undisturbed(asksForAll: Bool) async throws -> [StorePortrait] {
    let appStore = try await ObservedAppStore()
    let life = try await Killing(appStore, receipts: Self.receipts, asksForAll: asksForAll)
    var portraits: [StorePortrait] = []
    for season in Self.seasons {
      appStore.clock.advance(by: season)
      let outcome = try await life.sweep()
      try #require(outcome.ending == .code(0), "\(outcome.errors)")
      portraits.append(try life.portrait())
    }
    return portraits
  }
}
