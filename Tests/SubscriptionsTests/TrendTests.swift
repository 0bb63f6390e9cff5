import Subscriptions
import TestSupport
import Testing

@Suite struct TrendTests {
  struct Place: CustomTestStringConvertible {
    let name: String
    let after: Int64
    let stretch: Int
    var testDescription: String { name }
  }

  static let window = Window(days: 28, upTo: Instant(milliseconds: 28 * Milliseconds.day))

  @Test(arguments: [
    Place(name: "the first instant after the start", after: 1, stretch: 0),
    Place(name: "the end of the first day belongs to it", after: Milliseconds.day, stretch: 0),
    Place(name: "what comes after it to the next", after: Milliseconds.day + 1, stretch: 1),
    Place(name: "the window's end", after: 28 * Milliseconds.day, stretch: 27),
  ])
  func everyInstantHasOneStretch(_ place: Place) {
    let instant = Self.window.from + place.after
    #expect(Self.window.stretch(of: instant) == place.stretch)
    #expect(instant <= Self.window.stretchEnds[place.stretch])
    if place.stretch > 0 { #expect(instant > Self.window.stretchEnds[place.stretch - 1]) }
  }

  @Test(arguments: [1, 7, 28, 90, 365, 36_500])
  func stretchesAndTheirEndsAgree(_ days: Int) {
    let window = Window(days: days, upTo: Instant(milliseconds: 1_795_251_900_123))
    #expect(window.stretchEnds.last == window.to)
    for (place, end) in window.stretchEnds.enumerated() {
      #expect(window.stretch(of: end) == place)
      if end < window.to { #expect(window.stretch(of: end + 1) == place + 1) }
    }
  }

  @Test func whatNobodyObservedIsUnknown() {
    var trend = Trend()
    trend.add(lines: 3, in: .billingRetry, monthly: nil, of: .billingRetry, at: 27)
    trend.forget(.billingRetry, unobserved: Set([nil] + (0..<9).map(Optional.some)), hasStart: true)
    let values = trend.series("lines")?.values ?? []
    #expect(values.prefix(9).allSatisfy { $0 == nil })
    #expect(values[9...] == ArraySlice([Int64?](repeating: 0, count: 18) + [3]))
    #expect(trend.series("lines")?.before == nil)
    #expect(trend.series("grace.lines")?.values.last == 0)
  }

  private static let figures = [
    "lost_paid", "by_intent.1.paid", "arrivals.recovery", "renewals.P1M.lost", "trials.ended",
  ]

  @Test func whatDependsOnRenewalInfosHasNoBeforeWithoutThem() {
    var trend = Trend()
    for figure in Self.figures { trend.add(2, to: figure, at: nil) }
    trend.forget(.churn, unobserved: [nil], hasStart: true)
    let known = trend.series.filter { $0.before != nil }.map(\.figure)
    #expect(known == ["trials.ended"])
  }

  @Test func nothingIsComparedWithATimeBeforeTheFirstLine() {
    var trend = Trend()
    for figure in Self.figures { trend.add(2, to: figure, at: 5) }
    trend.forget(.churn, unobserved: [], hasStart: false)
    #expect(trend.series.count == Self.figures.count)
    #expect(trend.series.allSatisfy { $0.before == nil && $0.values[5] == 2 })
  }

  @Test func seriesAreSortedAndFound() {
    let (usd, eur) = (CurrencyCode("USD"), CurrencyCode("EUR"))
    var trend = Trend()
    trend.add(5, to: "mrr", usd, at: 0)
    trend.add(1, to: "trial", at: 3)
    trend.add(2, to: "mrr", eur, at: nil)
    trend.add(4, to: "mrr", usd, at: 0)
    #expect(trend.series.map(\.figure) == ["mrr", "mrr", "trial"])
    #expect(trend.series.map(\.currency) == [eur, usd, nil])
    #expect(trend.series("mrr", usd)?.values.first == 9)
    #expect(trend.series("mrr", eur)?.before == 2)
    #expect(trend.series("mrr") == nil)
    trend.add(.max, to: "trial", at: 3)
    #expect(trend.series("trial")?.values[3] == .max)
  }
}
