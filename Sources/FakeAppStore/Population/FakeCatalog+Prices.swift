import Subscriptions

extension FakeCatalog {
  /// The catalogue as the domain reads it.
  public static let catalog = Catalog(entries)

  /// The catalogue as `subtop import catalog` reads it.
  public static var csv: String { csv(of: entries) }

  static func csv(of entries: [CatalogEntry]) -> String {
    let header = "product_id,subscription_group_id,level,period,offer,price,currency,valid_from\n"
    return entries.reduce(into: header) { text, entry in
      let fields = [
        entry.productID.rawValue, entry.subscriptionGroupID?.rawValue ?? "",
        entry.level.map(String.init) ?? "", entry.period.iso8601, entry.offer.text,
        decimal(micros: entry.price.single), entry.price.currency.rawValue,
        entry.validFrom?.dateText ?? "",
      ]
      text += fields.joined(separator: ",") + "\n"
    }
  }

  /// From here on the two professional plans cost more.
  public static let priceRise = Instant(milliseconds: 1_756_684_800_000)  // 2025-09-01

  public static let entries: [CatalogEntry] = prices.compactMap { price in
    guard let product = products.first(where: { $0.id.rawValue == "com.example.lumen." + price.product })
    else { return nil }
    let period =
      switch price.offer {
      case .trial: product.trial ?? product.period
      case .intro: product.introPeriod ?? product.period
      default: product.period
      }
    return CatalogEntry(
      productID: product.id, subscriptionGroupID: product.group, level: product.level, period: period,
      offer: price.offer, price: Money(micros: price.cents * 10_000, currency: price.currency),
      validFrom: price.isAfterRise ? priceRise : nil)
  }

  private struct Price: Sendable {
    let product: String
    let offer: Offer
    let cents: Int64
    var currency = CurrencyCode("USD")
    var isAfterRise = false
  }

  private static let prices: [Price] = [
    Price(product: "pro.yearly", offer: .standard, cents: 7999),
    Price(product: "pro.yearly", offer: .standard, cents: 8999, isAfterRise: true),
    Price(product: "pro.yearly", offer: .trial, cents: 0),
    Price(product: "pro.yearly", offer: .promo("loyal30"), cents: 5599),
    Price(product: "pro.monthly", offer: .standard, cents: 999),
    Price(product: "pro.monthly", offer: .standard, cents: 1099, isAfterRise: true),
    Price(product: "pro.monthly", offer: .trial, cents: 0),
    Price(product: "pro.monthly", offer: .promo("comeback50"), cents: 499),
    Price(product: "pro.monthly", offer: .code("SPRING25"), cents: 749),
    Price(product: "plus.yearly", offer: .standard, cents: 3999),
    Price(product: "plus.yearly", offer: .trial, cents: 0),
    Price(product: "plus.yearly", offer: .intro, cents: 2999),
    Price(product: "plus.yearly", offer: .promo("comeback50"), cents: 1999),
    Price(product: "plus.yearly", offer: .promo("loyal30"), cents: 2799),
    Price(product: "plus.yearly", offer: .code("SPRING25"), cents: 2999),
    Price(product: "plus.halfyear", offer: .standard, cents: 2499),
    Price(product: "plus.halfyear", offer: .promo("loyal30"), cents: 1749),
    Price(product: "plus.monthly", offer: .standard, cents: 499),
    Price(product: "plus.monthly", offer: .trial, cents: 0),
    Price(product: "plus.monthly", offer: .intro, cents: 199),
    Price(product: "plus.monthly", offer: .promo("comeback50"), cents: 249),
    Price(product: "plus.monthly", offer: .code("SPRING25"), cents: 374),
    Price(product: "plus.monthly", offer: .code("CAMPUS"), cents: 249),
    Price(product: "duo.monthly", offer: .standard, cents: 699),
    Price(product: "duo.monthly", offer: .trial, cents: 0),
    Price(product: "duo.monthly", offer: .code("CAMPUS"), cents: 349),
    Price(product: "basic.quarterly", offer: .standard, cents: 799),
    Price(product: "basic.quarterly", offer: .intro, cents: 399),
    Price(product: "basic.weekly", offer: .standard, cents: 149),
    Price(product: "basic.weekly", offer: .trial, cents: 0),
    Price(product: "atelier.monthly", offer: .standard, cents: 699, currency: CurrencyCode("EUR")),
    Price(product: "atelier.monthly", offer: .trial, cents: 0, currency: CurrencyCode("EUR")),
    Price(product: "atelier.monthly", offer: .promo("comeback50"), cents: 349, currency: CurrencyCode("EUR")),
    Price(product: "atelier.yearly", offer: .standard, cents: 5999, currency: CurrencyCode("EUR")),
  ]

  private static func decimal(micros: Int64) -> String {
    let cents = micros / 10_000
    return "\(cents / 100).\(cents % 100 < 10 ? "0" : "")\(cents % 100)"
  }
}
