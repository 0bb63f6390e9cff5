import Subscriptions

/// Products and prices of the fictional app *Lumen*.
public enum FakeCatalog {
  public static let bundleID = BundleID("com.example.lumen")

  /// Returns `com.example.lumen`, `com.example.lumen2`, and so on; the first app is 0.
  public static func bundleID(ofApp app: Int) -> BundleID {
    app == 0 ? bundleID : BundleID("\(bundleID)\(app + 1)")
  }

  /// Returns Apple's id of an app; that of the first app for an unknown bundle id.
  public static func appleID(of bundleID: BundleID) -> Int64 {
    let number =
      bundleID.rawValue.hasPrefix(Self.bundleID.rawValue)
      ? Int64(bundleID.rawValue.dropFirst(Self.bundleID.rawValue.count)) : nil
    return 1_450_000_001 + 100 * ((number ?? 1) - 1)
  }

  static let membership = SubscriptionGroupID("21450001")
  static let atelier = SubscriptionGroupID("21450002")

  /// Product of the first customers. The catalogue does not list it, so its revenue is unpriced.
  public static let unpricedProduct = ProductID("com.example.lumen.founders.monthly")

  static let consumables = [
    ProductID("com.example.lumen.credits.10"), ProductID("com.example.lumen.credits.50"),
  ]
  static let nonConsumable = ProductID("com.example.lumen.palette.unlock")

  static let products: [FakeProduct] = [
    FakeProduct(
      id: ProductID("com.example.lumen.pro.yearly"), group: membership, level: 1, period: Period(1, .year),
      trial: Period(2, .week), promotions: ["loyal30"], graceDays: 16, isFamilyShareable: true, popularity: 7
    ),
    FakeProduct(
      id: ProductID("com.example.lumen.pro.monthly"), group: membership, level: 1, period: Period(1, .month),
      trial: Period(1, .week), promotions: ["comeback50"], codes: ["SPRING25"], graceDays: 16, popularity: 20),
    FakeProduct(
      id: ProductID("com.example.lumen.plus.yearly"), group: membership, level: 2, period: Period(1, .year),
      trial: Period(1, .week), introPeriod: Period(1, .year), promotions: ["comeback50", "loyal30"],
      codes: ["SPRING25"], graceDays: 16, popularity: 9),
    FakeProduct(
      id: ProductID("com.example.lumen.plus.halfyear"), group: membership, level: 2,
      period: Period(6, .month), promotions: ["loyal30"], popularity: 4),
    FakeProduct(
      id: ProductID("com.example.lumen.plus.monthly"), group: membership, level: 2, period: Period(1, .month),
      trial: Period(1, .week), introPeriod: Period(1, .month), promotions: ["comeback50"],
      codes: ["SPRING25", "CAMPUS"], graceDays: 16, popularity: 30),
    FakeProduct(
      id: ProductID("com.example.lumen.duo.monthly"), group: membership, level: 2, period: Period(1, .month),
      trial: Period(1, .week), codes: ["CAMPUS"], graceDays: 16, isFamilyShareable: true, popularity: 8),
    FakeProduct(
      id: unpricedProduct, group: membership, level: 2, period: Period(1, .month), popularity: 0),
    FakeProduct(
      id: ProductID("com.example.lumen.basic.quarterly"), group: membership, level: 3,
      period: Period(3, .month), introPeriod: Period(3, .month), popularity: 5),
    FakeProduct(
      id: ProductID("com.example.lumen.basic.weekly"), group: membership, level: 3, period: Period(1, .week),
      trial: Period(3, .day), graceDays: 6, popularity: 17),
    FakeProduct(
      id: ProductID("com.example.lumen.atelier.monthly"), group: atelier, level: 1, period: Period(1, .month),
      trial: Period(1, .week), promotions: ["comeback50"], graceDays: 16, popularity: 70),
    FakeProduct(
      id: ProductID("com.example.lumen.atelier.yearly"), group: atelier, level: 1, period: Period(1, .year),
      popularity: 30),
  ]

  static func products(in group: SubscriptionGroupID) -> [FakeProduct] {
    group == membership ? membershipProducts : atelierProducts
  }

  private static let membershipProducts = products.filter { $0.group == membership }
  private static let atelierProducts = products.filter { $0.group == atelier }
}

extension FakeProduct {
  /// Products available at once: a higher level, or the same level and period.
  var immediateChanges: [FakeProduct] {
    FakeCatalog.products.filter {
      $0.group == group && $0.id != id && $0.popularity > 0
        && ($0.level < level || ($0.level == level && $0.period == period))
    }
  }

  /// Products available from the next renewal only.
  var changesAtRenewal: [FakeProduct] {
    FakeCatalog.products.filter {
      $0.group == group && $0.id != id && $0.popularity > 0
        && ($0.level > level || ($0.level == level && $0.period != period))
    }
  }
}

/// Product data that only signed transactions have.
extension FakeCatalog {
  /// *App Store Server API › type*.
  enum ProductType: String, CaseIterable, Sendable {
    case autoRenewable = "Auto-Renewable Subscription"
    case nonConsumable = "Non-Consumable"
    case consumable = "Consumable"
    case nonRenewing = "Non-Renewing Subscription"

    /// *App Store Server API › productType*.
    var queryName: String {
      switch self {
      case .autoRenewable: "AUTO_RENEWABLE"
      case .nonConsumable: "NON_CONSUMABLE"
      case .consumable: "CONSUMABLE"
      case .nonRenewing: "NON_RENEWABLE"
      }
    }
  }

  static func productType(of row: Transaction) -> ProductType {
    if row.expiresDate != nil { return .autoRenewable }
    return row.productID == nonConsumable ? .nonConsumable : .consumable
  }

  /// Returns the price paid, in micros. Products that the catalogue does not list have a price too, which
  /// receipts do not contain.
  static func micros(of row: Transaction) -> Int64? {
    if let entry = catalog.entry(for: row) { return entry.price.single }
    return unlisted[row.productID]
  }

  private static let unlisted: [ProductID: Int64] = [
    unpricedProduct: 3_990_000, consumables[0]: 1_990_000, consumables[1]: 7_990_000,
    nonConsumable: 4_990_000,
  ]
}

extension FakeCatalog {
  public static let catalog = Catalog(entries)

  /// The catalogue in the format that `subtop import catalog` reads.
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

  /// Date from which the two professional plans cost more.
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
