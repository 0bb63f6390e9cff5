import Dashboard
import FakeAppStore
import ReceiptStore
import Screen
import Subscriptions
import TestSupport
import Testing

/// Typical questions of a new user, answered in few keys.
@Suite("Journeys through the demonstration", .blocking, .tags(.long)) struct JourneyTests {
  /// The smallest usual terminal.
  private let size = Size(columns: 80, rows: 24)

  private struct NoFigures: Error {}

  @Test("The revenue fell this week: why, on which product, who?")
  func revenue() async throws {
    let watched = try await WatchedStore.atFounding.value
    let figures = try watched.report(.overview, days: 7).data
    guard let mover = figures.revenueChange?.movers.first, let first = figures[parts: "by_product"].first
    else { throw NoFigures() }
    var played = try PlayedDashboard(watched, size)
    try played.press("w", "w", "w", "w")
    #expect(played.shows("7 d"))
    #expect(played.shows("MRR -", "in 7 d: \(mover.lines) lost on pro.monthly, price increase declined"))
    let product = first.product.rawValue.split(separator: ".").suffix(2).joined(separator: ".")
    #expect(played.shows(product, "\(first["paid"])"))
    try played.press("k", "Enter")
    let question = watched.question(.movement, days: 7)
    let path = try #require(FigurePath(mover.figure, of: .movement))
    let rows = try watched.store.rows(behind: question.narrowed(to: path), figure: path.name)
    #expect(rows.count == mover.lines && played.shows(": \(rows.count) subscriptions"))
    let shown = rows.rows.prefix(size.rows - 9).map(\.originalTransactionID.rawValue)
    #expect(!shown.isEmpty && shown.allSatisfy { played.shows($0) })
    try played.press("Enter")
    #expect(played.shows("Subscription history \(shown.first ?? "none")") && played.shows("Verdict"))
    #expect(played.keys <= 8)
  }

  @Test("Is a month of trials from the campaign worth it?")
  func campaign() async throws {
    let watched = try await WatchedStore.atFounding.value
    var played = try PlayedDashboard(watched, size)
    let code = Stories.campaignCode
    try played.press("f", String(code.lowercased().prefix(4)))
    #expect(played.shows(code, "offer"))
    try played.press("Enter")
    let offers = try watched.report(.offers, days: played.state.window.days).data[parts: "offers"]
    guard let offer = offers.first(where: { $0[text: "offer"] == code }) else { throw NoFigures() }
    let (started, converted) = (offer["started"], offer["converted"])
    // The numbers of customers who used the offer and who stayed, its cost and its revenue.
    let ended = converted + offer["lost"]
    let tenths = Int((Double(converted) / Double(ended) * 1000).rounded())
    #expect(
      played.shows(
        "trial", code, " \(started) ", " \(converted) ", "\(tenths / 10).\(tenths % 10) %"))
    #expect(played.shows("1 match"))
    #expect(
      !offer[amounts: "brought"].isEmpty && played.shows("Net") && played.shows("cost ", "revenue "))
    #expect(played.keys <= 10)
    try played.press("Enter")
    #expect(
      played.shows(": \(started) subscriptions") || played.shows(": \(started) transactions"))
    #expect(played.keys <= 10)
  }
}
