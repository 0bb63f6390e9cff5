import Subscriptions
import TestSupport
import Testing

@Suite struct TrendTests {

  /// Window whose days begin at 06:00 UTC.
  static let window = Window(
    days: 28, upTo: Instant(milliseconds: 40 * Milliseconds.day + 6 * Milliseconds.hour))

  @Test(
    arguments: [
      ("the first instant after the start", 1, 0),
      ("the last one before midnight", 18 * Milliseconds.hour - 1, 0),
      ("midnight belongs to the next", 18 * Milliseconds.hour, 1),
      ("the last midnight begins today", 28 * Milliseconds.day - 6 * Milliseconds.hour, 28),
      ("the window's end", 28 * Milliseconds.day, 28),
    ] as [(String, Int64, Int)])
  func everyInstantHasOneStretch(_ name: String, _ after: Int64, _ stretch: Int) {
    let instant = Self.window.from + after
    #expect(Self.window.stretch(of: instant) == stretch)
    #expect(instant <= Self.window.stretchEnds[stretch])
    if stretch > 0 { #expect(instant > Self.window.stretchEnds[stretch - 1]) }
  }

  @Test(arguments: [
    (days: 1, hours: 1), (7, 6), (28, 24), (90, 72), (365, 14 * 24), (1000, 56 * 24), (36_500, 1792 * 24),
  ])
  func stretchesAreWholeHoursOrDays(_ window: (days: Int, hours: Int)) {
    let ends = Window(days: window.days, upTo: Instant(milliseconds: 1_795_251_900_123)).stretchEnds
    #expect((13...31).contains(ends.count))
    for (end, next) in zip(ends, ends.dropFirst().dropLast()) {
      #expect(next - end == Int64(window.hours) * Milliseconds.hour)
      #expect((end.rawValue + 1) % (Int64(window.hours) * Milliseconds.hour) == 0)
    }
  }

  @Test(arguments: [
    (end: "2026-11-21T09:05:00Z", whole: 1..<28), ("2026-11-21T23:59:59.999Z", 0..<28),
  ])
  func stretchesCutByTheWindowAreNotWhole(_ window: (end: String, whole: Range<Int>)) throws {
    let end = try #require(Instant(parsing: window.end))
    #expect(Trend(of: Window(days: 28, upTo: end)).wholeStretches == window.whole)
  }

  @Test(
    arguments: [1, 7, 28, 90, 365, 36_500], [1_795_251_900_123, 1_795_219_200_000, 1_795_219_199_999, 5])
  func stretchesAndTheirEndsAgree(_ days: Int, _ end: Int64) {
    let window = Window(days: days, upTo: Instant(milliseconds: end))
    #expect(window.stretchEnds.last == window.to)
    for (place, end) in window.stretchEnds.enumerated() {
      #expect(window.stretch(of: end) == place)
      if end < window.to { #expect(window.stretch(of: end + 1) == place + 1) }
    }
  }

  private static func trend(of panel: Panel, at t: Instant, seen: [(Instant, RenewalInfo?)]) -> Trend {
    let population = EvidenceLedger.make([
      .make([monthly("1", 0, 30)], seen: seen), chain("F", monthly("6", 20, 50), monthly("7", 50, 80)),
    ])
    return population.report(Question(panel: panel, at: t)).trend
  }

  @Test func aSnapshotIsPartOfThePastTrend() {
    let failing = RenewalInfo.make(intent: .billingError, retry: true)
    let trend = Self.trend(of: .billingRetry, at: day(50), seen: [(day(40), failing)])
    #expect(
      trend.series("lines")?.values.map { $0 ?? -1 } == [Int128](repeating: 0, count: 8)
        + [Int128](repeating: 1, count: 21))
    #expect(trend.series("lines")?.before == 0)
  }

  @Test func valuesWithoutASnapshotAreUnknown() {
    let trend = Self.trend(of: .billingRetry, at: day(50), seen: [(day(40), nil)])
    let values = trend.series("lines")?.values ?? []
    #expect(values.prefix(8).allSatisfy { $0 == 0 })
    #expect(values.dropFirst(8).dropLast().allSatisfy { $0 == nil })
    #expect(values.last == 0, "what is so now is known")
  }

  @Test func nothingIsComparedWithATimeBeforeTheFirstLine() {
    let trend = Self.trend(of: .overview, at: day(20), seen: [])
    #expect(trend.series.contains { $0.figure == "active_paid" })
    #expect(trend.series.allSatisfy { $0.before == nil })
  }

  @Test func seriesAreSortedAndFound() {
    let (usd, eur) = (CurrencyCode("USD"), CurrencyCode("EUR"))
    var trend = Trend(of: Self.window)
    trend.add(5, to: "mrr", usd, at: 0)
    trend.add(1, to: "trial", at: 3)
    trend.add(2, to: "mrr", eur, at: nil)
    trend.add(4, to: "mrr", usd, at: 0)
    #expect(trend.series.map(\.figure) == ["mrr", "mrr", "trial"])
    #expect(trend.series.map(\.currency) == [eur, usd, nil])
    #expect(trend.series("mrr", usd)?.values.first == 9)
    #expect(trend.series("mrr", eur)?.before == 2)
    #expect(trend.series("mrr") == nil)
    trend.add(Int128(Int64.max), to: "trial", at: 3)
    #expect(trend.series("trial")?.values[3] == Int128(Int64.max) + 1)
  }

  @Test(arguments: 0..<40 as Range<UInt64>) func hasTheChurnRateOfTheWindowBefore(_ seed: UInt64) {
    let population = EvidenceLedger.generated(seed, chains: 5)
    for (days, at) in [(7, 45), (28, 90), (90, 200), (365, 390)] {
      let question = Question(panel: .churn, at: day(at), windowDays: days)
      let before = population.report(Comparison.before.that(question)).data[share: "churn_rate"]
      #expect(population.report(question).trend.churnRateBefore == before)
      var overview = question
      overview.panel = .overview
      #expect(population.report(overview).trend.churnRateBefore == before)
    }
  }
}
