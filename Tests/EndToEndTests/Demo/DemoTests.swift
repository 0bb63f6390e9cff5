import FakeAppStore
import ReceiptStore
import Subscriptions
import TestSupport
import Testing

@Suite("The demonstration", .blocking, .tags(.long)) struct DemoTests {
  @Test("Every panel has numbers", arguments: Panel.allCases) func hasNumbers(_ panel: Panel) async throws {
    let watched = try await WatchedStore.atFounding.value
    let json = try JSON(Array(JSON.text(of: watched.report(panel, days: 90).data).utf8))
    #expect(json.isTelling, "\(panel)")
  }

  /// METRICS §4: every instant of the past half year was observed.
  @Test func thePastHasNoUnknownDays() async throws {
    let trend = try await WatchedStore.atFounding.value.report(.overview, days: 182).trend
    for figure in ["grace", "billing_retry", "active_paid", "trial"] {
      let series = try #require(trend.series(figure), "\(figure)")
      #expect(series.before != nil && series.values.allSatisfy { $0 != nil }, "\(figure)")
      #expect(series.values.contains { ($0 ?? 0) > 0 })
    }
  }

  @Test func theStoriesAreInTheFigures() async throws {
    let watched = try await WatchedStore.atFounding.value
    guard case .refunds(let refunds) = try watched.report(.refunds).data,
      case .churn(let churn) = try watched.report(.churn).data
    else { throw NoFigures() }
    #expect(refunds.byReason.appIssue > refunds.byReason.other)
    #expect((churn.byIntent.first { $0.intent == "3" }?.paid ?? 0) > 2)
    let week = Stories(founded: WatchedStore.founded).cardTrouble
    let (before, after) = (
      try watched.troubled(at: week.lowerBound), try watched.troubled(at: week.upperBound)
    )
    #expect(after > 2 * before && after > 20, "\(before), then \(after)")
  }

  @Test func theStoriesAreInRecoveryAndOffers() async throws {
    let watched = try await WatchedStore.atFounding.value
    guard case .recovery(let recovery) = try watched.report(.recovery, days: 90).data,
      case .offers(let offers) = try watched.report(.offers, days: 120).data
    else { throw NoFigures() }
    #expect(recovery.entered > 30 && recovery.recovered > recovery.lost && recovery.lost > 5)
    #expect(recovery.withGrace.outcomes.entered > 0 && recovery.withoutGrace.outcomes.entered > 0)
    let code = offers.offers.filter { $0.offer == Stories.campaignCode }
    #expect(code.map(\.started).reduce(0, +) > 30)
    #expect(offers.offers.contains { $0.kind == .winback && $0.started > 4 })
    let asked = offers.priceIncreases
    #expect(asked.agreed > 10 && asked.pending > 5 && asked.lost > 2)
    #expect(asked.asked == asked.agreed + asked.running + asked.lapsed && asked.lapsed >= asked.lost)
  }

  /// In the demo, revenue falls because subscribers reject a price increase.
  @Test(arguments: [7, 28]) func theRevenueFellOverThePrice(_ days: Int) async throws {
    let watched = try await WatchedStore.atFounding.value
    guard case .overview(let figures) = try watched.report(.overview, days: days).data,
      let change = figures.revenueChange, let mover = change.movers.first
    else { throw NoFigures() }
    #expect(change.endMicros * 100 < change.startMicros * 99, "\(change)")
    #expect(
      mover.productId == Stories.risenProduct && mover.name == "lost_by_reason.price_increase", "\(mover)")
  }

  private struct NoFigures: Error {}

  @Test func withoutATerminalItIsTheOverviewAsATable() async throws {
    let printed = try await Subtop().run("demo", "--headless", "--subscribers", "200")
    #expect(printed.ending == .code(0))
    let lines = printed.output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.first?.hasPrefix("Overview  as of ") == true)
    for title in ["MRR ", "Subscribers in 28 d", "By product, changes in 28 d"] {
      #expect(lines.contains { $0.hasPrefix(title) }, "\(title)")
    }
    #expect(lines.count <= 48)
    #expect(!printed.output.contains("\u{2502}") && !printed.output.contains("user-4821"))
    #expect(printed.errors.contains("subtop demo --guide") && printed.errors.contains("user-4821"))
  }
}

extension JSON {
  fileprivate var isTelling: Bool {
    switch self {
    case .integer(let number): number != 0
    case .number(let number): number != 0
    case .list(let values): values.contains(where: \.isTelling)
    case .object(let members): members.values.contains(where: \.isTelling)
    case .null, .flag, .text: false
    }
  }
}
