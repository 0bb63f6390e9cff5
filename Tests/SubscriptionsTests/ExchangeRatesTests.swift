import Subscriptions
import TestSupport
import Testing

/// Conversion of an amount at an instant, with a result calculated by hand.
struct ExchangeCase: CustomTestStringConvertible, Sendable {
  var name: String
  var reporting: String
  var micros: Int64
  var currency: String
  var at: Instant
  var expected: Int64?
  var testDescription: String { name }

  init(
    _ name: String, _ micros: Int64, _ currency: String, in reporting: String, at: Instant,
    is expected: Int64?
  ) {
    (self.name, self.micros, self.currency) = (name, micros, currency)
    (self.reporting, self.at, self.expected) = (reporting, at, expected)
  }
}

/// `day(1)` is Friday, 2026-01-02.
private let published: [PublishedRate] = [
  rate("EUR", "USD", 1, 1_250_000), rate("EUR", "USD", 4, 1_280_000),
  rate("EUR", "JPY", 1, 160_000_000), rate("EUR", "JPY", 4, 160_000_000),
  rate("EUR", "HUF", 1, 2_000_000), rate("EUR", "ISK", 1, 3_000_000),
  rate("EUR", "RUB", 0, 100_000_000), rate("EUR", "RUB", 1, nil), rate("EUR", "RUB", 10, 80_000_000),
  rate("USD", "TWD", 1, 32_000_000), rate("GBP", "AED", 1, 4_000_000), rate("GBP", "EUR", 1, 1_250_000),
  rate("GBP", "USD", 1, 1_600_000),
]

private func rate(_ base: String, _ currency: String, _ at: Int, _ micros: Int64?) -> PublishedRate {
  let day = Int(day(at).rawValue / Milliseconds.day)
  return PublishedRate(
    base: CurrencyCode(base), currency: CurrencyCode(currency), day: day, picos: micros.map { $0 * 1_000_000 }
  )
}

extension ExchangeCase {
  static let all = [
    ExchangeCase("on the day", 10_000_000, "USD", in: "EUR", at: day(1), is: 8_000_000),
    ExchangeCase(
      "Saturday has Friday's, to its last millisecond", 10_000_000, "USD", in: "EUR", at: day(3) - 1,
      is: 8_000_000),
    ExchangeCase("Sunday as well", 10_000_000, "USD", in: "EUR", at: day(3, hours: 23), is: 8_000_000),
    ExchangeCase(
      "Monday has its own, from midnight", 10_000_000, "USD", in: "EUR", at: day(4), is: 7_812_500),
    ExchangeCase("the last known, however old", 10_000_000, "USD", in: "EUR", at: day(400), is: 7_812_500),
    ExchangeCase("before the first rate", 10_000_000, "USD", in: "EUR", at: day(1) - 1, is: nil),
    ExchangeCase("a currency without any", 10_000_000, "XYZ", in: "EUR", at: day(4), is: nil),
    ExchangeCase("out of the base", 10_000_000, "EUR", in: "USD", at: day(2), is: 12_500_000),
    ExchangeCase("through the euro", 1_000_000_000, "JPY", in: "USD", at: day(2), is: 7_812_500),
    ExchangeCase("into yen, with parts of one", 9_990_000, "USD", in: "JPY", at: day(2), is: 1_278_720_000),
    ExchangeCase(
      "the reporting currency itself needs no rate", 9_990_001, "XYZ", in: "XYZ", at: day(-900), is: 9_990_001
    ),
    ExchangeCase("a half to the even one below", 1, "HUF", in: "EUR", at: day(1), is: 0),
    ExchangeCase("a half to the even one above", 3, "HUF", in: "EUR", at: day(1), is: 2),
    ExchangeCase("two and a half", 5, "HUF", in: "EUR", at: day(1), is: 2),
    ExchangeCase("below zero as above", -3, "HUF", in: "EUR", at: day(1), is: -2),
    ExchangeCase("a third", 10_000_000, "ISK", in: "EUR", at: day(1), is: 3_333_333),
    ExchangeCase(
      "a file of its own, relative to the reporting currency", 320_000_000, "TWD", in: "USD", at: day(2),
      is: 10_000_000),
    ExchangeCase(
      "one that does not lead to the reporting currency", 320_000_000, "TWD", in: "EUR", at: day(2), is: nil),
    ExchangeCase("through a third currency", 4_000_000, "AED", in: "EUR", at: day(2), is: 1_250_000),
    ExchangeCase(
      "the rates of the reporting currency come first", 1_600_000, "USD", in: "GBP", at: day(4), is: 1_000_000
    ),
    ExchangeCase("a hole of days is passed over", 100_000_000, "RUB", in: "EUR", at: day(7), is: 1_000_000),
    ExchangeCase("a currency that ended has no rate", 100_000_000, "RUB", in: "EUR", at: day(8), is: nil),
    ExchangeCase("until it has one again", 80_000_000, "RUB", in: "EUR", at: day(10), is: 1_000_000),
    ExchangeCase("what would be wider than 64 bits is unknown", .max, "EUR", in: "JPY", at: day(4), is: nil),
  ]
}

@Suite("Exchange rates") struct ExchangeRatesTests {
  @Test(arguments: ExchangeCase.all) func areOfTheDayOfThePurchase(_ example: ExchangeCase) {
    let rates = ExchangeRates(published.reversed(), in: CurrencyCode(example.reporting))
    let converted = rates.conversion(of: CurrencyCode(example.currency), at: example.at).of(example.micros)
    #expect(converted.unconverted == (example.expected == nil ? 1 : 0))
    #expect(converted.micros == example.expected ?? 0)
  }

  @Test func amountsHaveBothCurrencies() {
    var amounts = Amounts(in: CurrencyCode("EUR"))
    amounts.add(Money(micros: 10, currency: CurrencyCode("USD")), Converted(micros: 8))
    amounts.add(Money(micros: 5, currency: CurrencyCode("USD")), Converted(unconverted: 2))
    amounts.add(Money(micros: 7, currency: CurrencyCode("XYZ")), Converted(unconverted: 1))
    amounts.add(Money(micros: 0, currency: CurrencyCode("GBP")), Converted())
    #expect(amounts.inReportingCurrency == Money(micros: 8, currency: CurrencyCode("EUR")))
    #expect(amounts.converted(CurrencyCode("USD")) == 8)
    #expect(amounts.converted(CurrencyCode("XYZ")) == nil)
    #expect(amounts.converted(CurrencyCode("GBP")) == 0)
    #expect(amounts.unconverted == 3)
    #expect(amounts.times(12).inReportingCurrency?.micros == 96)
    #expect(Amounts(in: CurrencyCode("EUR")).inReportingCurrency == nil)
    #expect(Amounts([Money(micros: 10, currency: CurrencyCode("EUR"))]).inReportingCurrency == nil)
  }

  @Test func repeatedGapsAreRemoved() {
    let all = [3, 1, 2, 5, 4, 6].map { rate("EUR", "RUB", $0, [2, 3, 6].contains($0) ? nil : 1) }
    let kept = all.withoutRepeatedGaps
    #expect(kept.map(\.day).map { $0 - kept[0].day } == [0, 1, 3, 4, 5])
    #expect(kept.map(\.picos) == [1_000_000, nil, 1_000_000, 1_000_000, nil])
  }

  private static let moving: [PublishedRate] = (-200...500).flatMap { at -> [PublishedRate] in
    let micros = Int64(1_100_000 + (at + 200) * 997)
    let dollar = at % 2 == 0 ? [rate("GBP", "USD", at, micros)] : []
    let euro = at % 3 == 0 ? [rate("GBP", "EUR", at, 2 * micros)] : []
    return dollar + euro + (at > 30 ? [rate("GBP", "JPY", at, 3 * micros)] : [])
  }

  private static func population(_ seed: UInt64) -> EvidenceLedger {
    var catalog = Catalog.generated
    catalog.exchange = ExchangeRates(moving, in: CurrencyCode("GBP"))
    return .generated(seed, chains: 5, catalog: catalog)
  }

  private static let windows = [(1, 31), (28, 60), (90, 200), (365, 300)]

  /// A renewal at an unchanged price changes its amount in the reporting currency, but not in its own.
  @Test(arguments: seeds(200)) func movementsAddUpInTheReportingCurrency(_ seed: UInt64) throws {
    let ledger = Self.population(seed)
    for (days, end) in Self.windows {
      var question = Question(panel: .movement, at: day(end, hours: 5), windowDays: days)
      question.reportingCurrency = CurrencyCode("GBP")
      let figures = LedgerFigures(Movement.groups, from: ledger.sums(of: question.window), question)
      let group = try #require(figures["mrr"])
      for values in group.rows.compactMap(\.converted) + [try #require(group.total).values] {
        let flows = values.dropFirst().dropLast().reduce(0, +)
        #expect(values[0] + flows == values[values.count - 1], "\(days) days to day \(end)")
      }
      question.reportingCurrency = nil
      let own = LedgerFigures(Movement.groups, from: ledger.sums(of: question.window), question)
      #expect(
        (own["mrr"]?.rows ?? []).filter { $0.values.contains { $0 != 0 } }.map(\.values)
          == group.rows.filter { $0.values.contains { $0 != 0 } }.map(\.values))
    }
  }

  /// The total, its rows and the overview's sentence agree, and exclude the effect of exchange rates.
  @Test(arguments: seeds(200)) func repricedTotalsMatchTheirRows(_ seed: UInt64) throws {
    let population = Self.population(seed)
    for (days, end) in Self.windows {
      var question = Question(panel: .movement, at: day(end, hours: 5), windowDays: days, limit: .max)
      question.reportingCurrency = CurrencyCode("GBP")
      guard let figures = population.report(question).data.movement,
        let group = figures["mrr"], let total = group.total
      else { continue }
      let values = Dictionary(uniqueKeysWithValues: zip(group.figures.map(\.name), total.values))
      for name in group.figures.map(\.name) where name != "exchange_rates" {
        let rows = population.rows(question, figure: "mrr.\(name)")
        #expect(
          rows.amounts?.inReportingCurrency?.micros ?? 0 == values[name],
          "\(name), \(days) days to day \(end)"
        )
      }
      var overview = question
      overview.panel = .overview
      for mover in population.report(overview).data.revenueChange?.movers ?? []
      where mover.name.hasPrefix("mrr.") {
        #expect(values[String(mover.name.dropFirst(4))] == mover.micros)
      }
    }
  }

  /// The pound falls before a renewal at an unchanged price: only `exchange_rates` changes.
  @Test func showsTheEffectOfExchangeRates() throws {
    var catalog = Catalog.usual
    catalog.exchange = ExchangeRates(
      [rate("GBP", "USD", 0, 1_250_000), rate("GBP", "USD", 30, 1_000_000)], in: CurrencyCode("GBP"))
    let population = EvidenceLedger.make(
      [chain("1", monthly("1", 0, 30), monthly("2", 30, 60))], catalog: catalog)
    var question = Question(panel: .movement, at: day(40), windowDays: 28)
    question.reportingCurrency = CurrencyCode("GBP")
    guard let figures = population.report(question).data.movement,
      let group = figures["mrr"], let total = group.total
    else { throw NoMovement() }
    let moved = zip(group.figures.map(\.name), total.values).filter { $0.1 != 0 }.map { "\($0.0) \($0.1)" }
    // 9.99 / 1.25 and 9.99 / 1.00.
    #expect(moved == ["start 7992000", "exchange_rates 1998000", "end 9990000"])
  }

  private struct NoMovement: Error {}
}
