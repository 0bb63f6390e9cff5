import Subscriptions
import TestSupport
import Testing

/// METRICS §4, Period of a row whose price Apple signed.
@Suite struct SignedPeriodTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let name: String
    var environment = StoreEnvironment.sandbox
    var product = "monthly"
    var days = 1
    let period: Period?
    var change: @Sendable (inout Transaction) -> Void = { _ in }
    var testDescription: String { name }
  }

  @Test(arguments: [
    Case(name: "the sandbox renews a month every day", period: Period(1, .month)),
    Case(name: "a listed offer", period: Period(1, .month)) { $0.isInIntroOfferPeriod = true },
    Case(name: "an offer that is not listed", period: nil) { $0.promotionalOfferID = "WINTER" },
    Case(name: "a product that is not listed", product: "unlisted", period: nil),
    Case(name: "another environment", environment: .other("Xcode"), product: "unlisted", period: nil),
    Case(
      name: "the catalogue comes first in production", environment: .production, days: 31,
      period: Period(1, .month)),
    Case(
      name: "an offer that is not listed, in production", environment: .production, days: 91,
      period: Period(3, .month)
    ) { $0.promotionalOfferID = "WINTER" },
    Case(
      name: "a product that is not listed, in production", environment: .production, product: "unlisted",
      days: 7, period: Period(1, .week)),
    Case(
      name: "the catalogue's period, regardless of the dates", environment: .production, product: "weekly",
      days: 30, period: Period(1, .week)),
  ]) func periods(_ test: Case) throws {
    let bought = row(test.product, "1", 0, test.days) { row in
      test.change(&row)
      var terms = SignedTerms(signedAt: day(0))
      terms.price = Money(micros: 9_990_000, currency: CurrencyCode("USD"))
      row.terms = terms
    }
    let chain = Chain.make([bought], validated: day(1), environment: test.environment)
    let line = try chain.line()
    #expect(line.rows[0].price?.amount.micros == 9_990_000 && line.rows[0].price?.period == test.period)
    #expect(line.rows[0].period(.usual) == test.period)
    let population = EvidenceLedger.make([chain])
    let at = day(0, hours: 12)
    let active = population.figures(.active, at: at, environment: .all)
    let monthly = test.period.map { [Int128($0.monthlyMicros(ofPrice: 9_990_000))] } ?? []
    #expect(active["paid"] == 1 && active[amounts: "mrr"].totals.map(\.micros) == monthly)
    let overview = population.figures(.overview, at: at, environment: .all)
    #expect(overview[amounts: "sales.amount"].totals.map(\.micros) == [9_990_000])
    #expect(overview["sales.unpriced"] == 0)
  }
}
