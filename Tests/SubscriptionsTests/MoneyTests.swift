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

  /// MRR of 400 daily subscriptions at the maximum price exceeds 64 bits.
  @Test func figuresOfTheHighestPrices() throws {
    let highest: Int64 = 1_000_000_000_000_000
    let catalog = Catalog([.make("monthly", highest, period: Period(1, .day))])
    let chains = (1...400).map { chain("\($0)", monthly("\($0)", 0, 30)) }
    let population = EvidenceLedger(chains, receipts: 400, catalog: catalog)
    let month = Int128(highest) * 487 / 16 * 400
    func report(_ panel: Panel) -> Report { population.report(Question(panel: panel, at: day(3))) }
    let (active, overview) = (report(.active).data, report(.overview).data)
    guard let movement = report(.movement).data.movement
    else { return #expect(Bool(false)) }
    #expect(active[amounts: "mrr"].totals.map(\.micros) == [month])
    #expect(overview[amounts: "sales.amount"].totals.map(\.micros) == [Int128(highest) * 400])
    #expect(
      overview.revenueChange?.endMicros == month && overview.revenueChange?.movers.map(\.micros) == [month])
    #expect(movement["mrr"]?.rows.first?.values.last == month)
    #expect(report(.active).trend.series("mrr", CurrencyCode("USD"))?.values.last == month)
  }
}

@Suite struct PeriodTests {
  struct Share: CustomTestStringConvertible {
    let period: String
    let price: Int64
    let monthly: Int64
    var testDescription: String { "\(period) of \(price)" }
  }

  /// Calculated by hand: a month has 30.4375 days, so a week is 487/112 of a month and a day 487/16.
  @Test(arguments: [
    Share(period: "P1M", price: 9_990_000, monthly: 9_990_000),
    Share(period: "P1W", price: 4_990_000, monthly: 21_697_589),  // 21,697,589.29
    Share(period: "P2W", price: 4_990_000, monthly: 10_848_795),  // 10,848,794.64
    Share(period: "P7D", price: 4_990_000, monthly: 21_697_589),
    Share(period: "P3D", price: 1_000_000, monthly: 10_145_833),  // 10,145,833.33
    Share(period: "P1Y", price: 59_990_000, monthly: 4_999_167),  // 4,999,166.67
    Share(period: "P2Y", price: 12, monthly: 0),  // a half goes to the even 0
    Share(period: "P2M", price: 5, monthly: 2), Share(period: "P2M", price: 7, monthly: 4),
    Share(period: "P6M", price: 29_990_000, monthly: 4_998_333),
    Share(period: "P1M", price: 0, monthly: 0),
  ])
  func monthlyShares(_ share: Share) throws {
    let period = try #require(Period(parsing: share.period))
    #expect(period.monthlyMicros(ofPrice: share.price) == share.monthly)
    #expect(period.iso8601 == share.period)
  }

  @Test(arguments: ["", "P", "1M", "PM", "P0M", "P-1M", "P1", "P1H", "PT1M", "P1M2D", "P1001D", "p1m", "P１M"])
  func refuses(_ text: String) {
    #expect(Period(parsing: text) == nil)
  }

  @Test func shorterPeriodsComeFirst() throws {
    let periods = ["P1Y", "P1M", "P3D", "P6M", "P1W"].compactMap(Period.init(parsing:))
    #expect(periods.sorted().map(\.iso8601) == ["P3D", "P1W", "P1M", "P6M", "P1Y"])
  }

  /// Example of METRICS §4: 28,192.34. Each line is rounded.
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
