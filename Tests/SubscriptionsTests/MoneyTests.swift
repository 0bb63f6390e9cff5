import Subscriptions
import TestSupport
import Testing

@Suite struct MoneyTests {
  @Test(
    arguments: [
      (1, 2, 0), (3, 2, 2), (5, 2, 2), (7, 2, 4), (-1, 2, 0), (-3, 2, -2), (-5, 2, -2),
      (1, 3, 0), (2, 3, 1), (-2, 3, -1), (0, 7, 0), (10, 5, 2),
      (Int128(Int64.max) * 4, 2, Int128(Int64.max) * 2), (Int128(Int64.min) * 4, 2, Int128(Int64.min) * 2),
    ] as [(Int128, Int128, Int128)])
  func halvesGoToEven(_ numerator: Int128, _ denominator: Int128, _ expected: Int128) {
    #expect(roundedHalfToEven(numerator, over: denominator) == expected)
  }

  @Test func currenciesAreNeverAdded() {
    let dollars = Money(micros: 3, currency: CurrencyCode("USD"))
    let euros = Money(micros: 5, currency: CurrencyCode("EUR"))
    let amounts = Amounts([dollars, euros, dollars])
    #expect(amounts.totals == [euros, Money(micros: 6, currency: CurrencyCode("USD"))])
    #expect(Amounts().isEmpty)
    #expect(!Amounts([Money(micros: 0, currency: CurrencyCode("USD"))]).isEmpty)
  }

  @Test(
    arguments: [
      (2.5, 2), (-3.5, -4), (.nan, 0), (.infinity, Int128(1) << 100), (-1e300, -(Int128(1) << 100)),
    ] as [(Double, Int128)])
  func fractionsAreRounded(_ number: Double, _ micros: Int128) {
    #expect(Money(rounding: number, currency: CurrencyCode("USD")).micros == micros)
  }

  @Test func sumsAreExact() {
    let most = Money(micros: Int64.max, currency: CurrencyCode("USD"))
    let amounts = Amounts([most, most])
    #expect(amounts[CurrencyCode("USD")] == 2 * Int128(Int64.max))
    #expect(amounts.times(12)[CurrencyCode("USD")] == 24 * Int128(Int64.max))
  }
}

@Suite struct PeriodTests {

  /// Calculated by hand: a month has 30.4375 days, so a week is 487/112 of a month and a day 487/16.
  @Test(
    arguments: [
      ("P1M", 9_990_000, 9_990_000),
      ("P1W", 4_990_000, 21_697_589),  // 21,697,589.29
      ("P2W", 4_990_000, 10_848_795),  // 10,848,794.64
      ("P7D", 4_990_000, 21_697_589),
      ("P3D", 1_000_000, 10_145_833),  // 10,145,833.33
      ("P1Y", 59_990_000, 4_999_167),  // 4,999,166.67
      ("P2Y", 12, 0),  // a half goes to the even 0
      ("P2M", 5, 2), ("P2M", 7, 4),
      ("P6M", 29_990_000, 4_998_333),
      ("P1M", 0, 0),
    ] as [(String, Int64, Int64)])
  func monthlyShares(_ period: String, _ price: Int64, _ monthly: Int64) throws {
    let read = try #require(Period(parsing: period))
    #expect(read.monthlyMicros(ofPrice: price) == monthly)
    #expect(read.iso8601 == period)
  }

  @Test(arguments: ["", "P", "1M", "PM", "P0M", "P-1M", "P1", "P1H", "PT1M", "P1M2D", "P1001D", "p1m", "P１M"])
  func refuses(_ text: String) {
    #expect(Period(parsing: text) == nil)
  }

  @Test func shorterPeriodsComeFirst() throws {
    let periods = ["P1Y", "P1M", "P3D", "P6M", "P1W"].compactMap(Period.init(parsing:))
    #expect(periods.sorted().map(\.iso8601) == ["P3D", "P1W", "P1M", "P6M", "P1Y"])
  }

  /// Example of METRICS §4, in which each line is rounded, with the result 28,192.34.
  @Test func recurringRevenueOfTheCheck() throws {
    var chains: [Chain] = []
    for (product, count, length) in [("weekly", 1000, 7), ("monthly", 500, 30), ("yearly", 300, 365)] {
      for index in 0..<count {
        chains.append(.make([row(product, "\(product)-\(index)", 0, length)], id: "\(product)\(index)"))
      }
    }
    let figures = EvidenceLedger.make(chains).figures(.active, at: day(1))
    #expect(figures["paid"] == 1800)
    let micros = try #require(figures[amounts: "mrr"][CurrencyCode("USD")])
    #expect(micros == 1000 * 21_697_589 + 500 * 9_990_000 + 300 * 4_999_167)
    #expect(roundedHalfToEven(Int128(micros), over: 10_000) == 2_819_234)
  }
}
