import ReceiptStore
import Subscriptions
import TestSupport
import Testing

@Suite struct TrendTests {
  static let days = [28, 7, 90]

  /// Flows must add up to the window's total, and `before` must equal the previous window's.
  @Test(arguments: seeds(60, sanitized: 5))
  func stretchesAddUp(_ seed: UInt64) throws {
    let (shelf, at) = try lived(seed)
    for panel in [Panel.overview, .churn, .refunds, .upgrades] {
      var question = Question(panel: panel, at: at, windowDays: Self.days[Int(seed) % 3], environment: .all)
      if seed % 3 == 0 { question.length = .calendar(.month, .utc) }
      let trend = try shelf.store.report(question).trend
      for series in trend.series where panel.happens(series.figure) {
        let rows = try shelf.store.rows(behind: question, figure: series.figure)
        let total = series.values.reduce(0) { $0 + ($1 ?? 0) }
        #expect(total == weight(rows, series), "\(series.figure) of \(question)")
        guard let before = series.before else { continue }
        let earlier = try shelf.store.rows(behind: question.before, figure: series.figure)
        #expect(before == weight(earlier, series), "\(series.figure) before \(question)")
      }
    }
  }

  /// Classes of facts are stored under the app's name, which may be any text.
  @Test(arguments: ["app", "\u{301}joins the space before it", " ", "1 2 3", "-"])
  func anAppOfAnyNameIsCounted(_ app: String) throws {
    let shelf = try Shelf()
    var answer = makeAnswer(at: day(20), monthly("1", 0, 30))
    answer.bundleID = BundleID(app)
    let imported = ImportedAnswer(answer: answer, status: 0, appUserID: nil, observedAt: day(20))
    _ = try shelf.store.add([imported], at: day(20))
    let report = try shelf.store.report(Question(panel: .overview, at: day(21)))
    #expect(report.data["sales.transactions"] == 1)
    #expect(try shelf.answersFromSums())
  }

  @Test(arguments: seeds(30, sanitized: 5))
  func statesAreThoseOfTheirInstants(_ seed: UInt64) throws {
    let (shelf, at) = try lived(seed)
    var question = Question(panel: .overview, at: at, windowDays: Self.days[Int(seed) % 3])
    if seed % 4 == 3 { question.products = [ProductID("monthly"), ProductID("weekly")] }
    let trend = try shelf.store.report(question).trend
    let instants = [question.window.trendStart] + question.window.stretchEnds
    for (place, instant) in instants.enumerated() {
      var asked = question
      asked.at = instant
      let figures = try shelf.store.report(asked).data
      func value(_ figure: String, _ currency: CurrencyCode? = nil) -> Int128? {
        guard let series = trend.series(figure, currency) else { return 0 }
        return place == 0 ? series.before : series.values[place - 1]
      }
      let hasStart = try shelf.store.rows(behind: asked, figure: "active_paid").count > 0
      guard place > 0 || hasStart else { continue }
      #expect(value("active_paid") == Int128(figures["active_paid"]))
      #expect(value("trial") == Int128(figures["trial"]))
      for total in figures[amounts: "mrr"].totals {
        #expect(value("mrr", total.currency) == total.micros)
      }
      if let grace = value("grace") { #expect(grace == Int128(figures["grace"])) }
      if let retry = value("billing_retry") { #expect(retry == Int128(figures["billing_retry"])) }
    }
  }

  @Test func eventsAreCountedByTheStretch() throws {
    let (shelf, at) = try lived(3)
    let question = Question(panel: .events, at: at, windowDays: 365, environment: .all)
    let report = try shelf.store.report(question)
    let figures = report.data
    #expect(figures["count"] > 0)
    let values = report.trend.series(Panel.eventCount)?.values ?? []
    #expect(values.reduce(0) { $0 + ($1 ?? 0) } == Int128(figures["count"]))
    for (place, value) in values.enumerated() {
      let here = figures.events.count { question.window.stretch(of: $0.effectiveAt) == place }
      #expect(value == Int128(here))
    }
  }

  private func lived(_ seed: UInt64) throws -> (Shelf, Instant) {
    let world = World(seed: seed)
    let shelf = try Shelf()
    try shelf.live(world)
    return (shelf, world.days.last ?? day(0))
  }

  private func weight(_ rows: FigureRows, _ series: Trend.Series) -> Int128 {
    guard let currency = series.currency else { return Int128(rows.count) }
    return rows.rows.reduce(0) { $0 + ($1.amount?.currency == currency ? $1.amount?.micros ?? 0 : 0) }
  }
}
