import Subscriptions
import TestSupport
import Testing

@Suite struct CatalogTests {
  private let catalog = Catalog([
    .make("monthly", 9_990_000, group: "G", level: 2),
    .make("monthly", 10_990_000, group: "G", level: 2, from: day(100)),
    .make("monthly", 12_990_000, period: Period(2, .month), group: "G", level: 1, from: day(200)),
    .make("monthly", 990_000, offer: .trial, from: day(300)), .make("monthly", 1_990_000, offer: .intro),
    .make("monthly", 2_990_000, offer: .promo("A")),
    .make("monthly", 3_990_000, offer: .code("B"), from: day(50)),
    .make("late", 5_000_000, currency: "EUR", from: day(100)),
  ])

  struct Pricing: CustomTestStringConvertible {
    let name: String
    let at: Int
    var product = "monthly"
    let micros: Int64?
    var change: @Sendable (inout Transaction) -> Void = { _ in }
    var testDescription: String { name }
  }

  @Test(arguments: [
    Pricing(name: "on the day of a change", at: 100, micros: 10_990_000),
    Pricing(name: "a trial without a row costs nothing", at: 0, micros: 0) { $0.isTrialPeriod = true },
    Pricing(name: "trial wins over intro", at: 0, micros: 0) {
      $0.isTrialPeriod = true
      $0.isInIntroOfferPeriod = true
    },
    Pricing(name: "code wins over promo", at: 50, micros: 3_990_000) {
      $0.promotionalOfferID = "A"
      $0.offerCodeRefName = "B"
    },
    Pricing(name: "code before it is valid is unpriced", at: 49, micros: nil) { $0.offerCodeRefName = "B" },
    Pricing(name: "before its first price", at: 99, product: "late", micros: nil),
    Pricing(name: "one-time purchases have no price", at: 0, micros: nil) { $0.expiresDate = nil },
  ])
  func prices(_ pricing: Pricing) {
    let transaction = Transaction.make(
      "1", product: pricing.product, purchase: day(pricing.at), expires: day(pricing.at + 30),
      change: pricing.change)
    #expect(catalog.entry(for: transaction)?.price.single == pricing.micros)
  }

  @Test func aFreeTrialHasTheCurrencyOfItsProduct() throws {
    let entry = catalog.entry(
      for: .make("1", product: "late", purchase: day(100), expires: day(107)) { $0.isTrialPeriod = true })
    #expect(entry?.price == Money(micros: 0, currency: CurrencyCode("EUR")))
  }

  @Test func returnsGroupLevelAndPeriodOfAProduct() {
    let product = ProductID("monthly")
    #expect(catalog.group(of: product) == SubscriptionGroupID("G"))
    #expect(catalog.level(of: product) == 1)
    #expect(catalog.period(of: product) == Period(2, .month))
    #expect(catalog.level(of: ProductID("late")) == nil)
    #expect(catalog.period(of: ProductID("other")) == nil)
  }

  @Test(arguments: ["", "trial", "intro", "promo:A:b", "code:x y"])
  func offersRoundTripThroughText(_ text: String) throws {
    #expect(try #require(Offer(parsing: text)).text == text)
  }

  @Test(arguments: ["standard", "promo:", "code:", "Trial", " "])
  func refusesOffers(_ text: String) { #expect(Offer(parsing: text) == nil) }
}
