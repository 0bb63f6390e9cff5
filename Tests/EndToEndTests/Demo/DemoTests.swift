import FakeAppStore
import Glibc
import ReceiptStore
import Subscriptions
import TestSupport
import Testing

@Suite("The demonstration", .blocking, .tags(.long)) struct DemoTests {
  @Test("Every panel has numbers", arguments: Panel.allCases) func hasNumbers(_ panel: Panel) async throws {
    let watched = try await WatchedStore.atFounding.value
    let json = try JSON(Array(JSON.text(of: watched.report(panel, days: 90).data).utf8))
    #expect(json.hasFigures, "\(panel)")
  }

  /// Every instant of the past half year was observed, so no value is unknown (METRICS §4).
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
    let refunds = try watched.report(.refunds).data
    #expect(refunds["by_reason.app_issue"] > refunds["by_reason.other"])
    let intents = try watched.report(.churn).data[parts: "by_intent"]
    #expect((intents.first { $0[text: "intent"] == "3" }?["paid"] ?? 0) > 2)
    let week = Stories(founded: WatchedStore.founded).cardTrouble
    let (before, after) = (
      try watched.troubled(at: week.lowerBound), try watched.troubled(at: week.upperBound)
    )
    #expect(after > 2 * before && after > 20, "\(before), then \(after)")
  }

  @Test func theStoriesAreInRecoveryAndOffers() async throws {
    let watched = try await WatchedStore.atFounding.value
    let recovery = try watched.report(.recovery, days: 90).data
    let offers = try watched.report(.offers, days: 120).data
    #expect(recovery["entered"] > 30 && recovery["recovered"] > recovery["lost"] && recovery["lost"] > 5)
    #expect(["with", "without"].allSatisfy { recovery["\($0)_grace.outcomes.entered"] > 0 })
    let code = offers[parts: "offers"].filter { $0[text: "offer"] == Stories.campaignCode }
    #expect(code.reduce(0) { $0 + $1["started"] } > 30)
    #expect(offers[parts: "offers"].contains { $0.offerKind == .winback && $0["started"] > 4 })
    let names = ["asked", "agreed", "running", "lapsed", "pending", "lost"]
    let asked = names.map { offers["price_increases.\($0)"] }
    #expect(asked[1] > 10 && asked[4] > 5 && asked[5] > 2)
    #expect(asked[0] == asked[1] + asked[2] + asked[3] && asked[3] >= asked[5])
  }

  /// In the demo, revenue falls because subscribers reject a price increase.
  @Test(arguments: [7, 28]) func theRevenueFellOverThePrice(_ days: Int) async throws {
    let watched = try await WatchedStore.atFounding.value
    guard let change = try watched.report(.overview, days: days).data.revenueChange,
      let mover = change.movers.first
    else { throw NoFigures() }
    #expect(change.endMicros * 100 < change.startMicros * 99, "\(change)")
    #expect(
      mover.productId == Stories.risenProduct && mover.name == "lost_by_reason.price_increase", "\(mover)")
  }

  private struct NoFigures: Error {}

  @Test func withoutATerminalItIsTheOverviewAsATable() async throws {
    let printed = try await Subtop().run("demo", "--headless", "--subscribers", "200", code: 0)
    let lines = printed.output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.first?.hasPrefix("Overview  as of ") == true)
    for title in ["MRR", "Subscribers in 28 d", "By product, changes in 28 d"] {
      #expect(lines.contains { $0.hasPrefix(title) }, "\(title)")
    }
    #expect(lines.count <= 48)
    #expect(!printed.output.contains("\u{2502}") && !printed.output.contains("user-4821"))
    #expect(printed.errors.contains("subtop demo --guide") && printed.errors.contains("user-4821"))
  }

  @Test func removesWhatAKilledDemoLeft() async throws {
    let subtop = try Subtop()
    func folders() -> [String] { File.names(in: subtop.home.path).filter { $0.hasPrefix("subtop-demo.") } }
    let killed = try subtop.start(["demo", "--headless", "--subscribers", "100000"])
    try await soon("its folder") { folders().isEmpty ? nil : true }
    _ = try await subtop.run("demo", "--headless", "--subscribers", "20", code: 0)
    #expect(folders().count == 1, "one that runs keeps its folder")
    kill(killed.pid, SIGKILL)
    _ = try await killed.ending()
    _ = try await subtop.run("demo", "--headless", "--subscribers", "20", code: 0)
    #expect(folders().isEmpty)
  }
}

extension JSON {
  fileprivate var hasFigures: Bool {
    switch self {
    case .integer(let number): number != 0
    case .number(let number): number != 0
    case .list(let values): values.contains(where: \.hasFigures)
    case .object(let members): members.values.contains(where: \.hasFigures)
    case .null, .flag, .text: false
    }
  }
}
