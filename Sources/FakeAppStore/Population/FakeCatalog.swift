import Subscriptions

/// Products and prices of the fictional app *Lumen*.
public enum FakeCatalog {
  public static let bundleID = BundleID("com.example.lumen")

  public static func bundleID(ofApp app: Int) -> BundleID {
    app == 0 ? bundleID : BundleID("\(bundleID)\(app + 1)")
  }

  public static func appleID(of bundleID: BundleID) -> Int64 {
    let number = Int64(bundleID.rawValue.dropFirst(Self.bundleID.rawValue.count)) ?? 1
    return 1_450_000_001 + 100 * (number - 1)
  }

  static let membership = SubscriptionGroupID("21450001")
  static let atelier = SubscriptionGroupID("21450002")

  /// Product of customers with `isFounder`; the catalog lacks it, so that it is unpriced in receipts.
  public static let unpricedProduct = ProductID("com.example.lumen.founders.monthly")

  static let consumables = [
    ProductID("com.example.lumen.credits.10"), ProductID("com.example.lumen.credits.50"),
  ]
  static let nonConsumable = ProductID("com.example.lumen.palette.unlock")

  static let products: [FakeProduct] = [
    FakeProduct(
      "pro.yearly", level: 1, Period(1, .year), cents: 7999, risenCents: 8999, trial: Period(2, .week),
      promotions: [("loyal30", 5599)], graceDays: 16, isFamilyShareable: true, popularity: 7),
    FakeProduct(
      "pro.monthly", level: 1, Period(1, .month), cents: 999, risenCents: 1099, trial: Period(1, .week),
      promotions: [("comeback50", 499)], codes: [("SPRING25", 749)], graceDays: 16, popularity: 20),
    FakeProduct(
      "plus.yearly", level: 2, Period(1, .year), cents: 3999, trial: Period(1, .week),
      intro: (Period(1, .year), 2999), promotions: [("comeback50", 1999), ("loyal30", 2799)],
      codes: [("SPRING25", 2999)], graceDays: 16, popularity: 9),
    FakeProduct(
      "plus.halfyear", level: 2, Period(6, .month), cents: 2499, promotions: [("loyal30", 1749)],
      popularity: 4),
    FakeProduct(
      "plus.monthly", level: 2, Period(1, .month), cents: 499, trial: Period(1, .week),
      intro: (Period(1, .month), 199), promotions: [("comeback50", 249)],
      codes: [("SPRING25", 374), ("CAMPUS", 249)], graceDays: 16, popularity: 30),
    FakeProduct(
      "duo.monthly", level: 2, Period(1, .month), cents: 699, trial: Period(1, .week),
      codes: [("CAMPUS", 349)],
      graceDays: 16, isFamilyShareable: true, popularity: 8),
    FakeProduct("founders.monthly", level: 2, Period(1, .month), cents: nil, popularity: 0),
    FakeProduct(
      "basic.quarterly", level: 3, Period(3, .month), cents: 799, intro: (Period(3, .month), 399),
      popularity: 5),
    FakeProduct(
      "basic.weekly", level: 3, Period(1, .week), cents: 149, trial: Period(3, .day), graceDays: 6,
      popularity: 17),
    FakeProduct(
      "atelier.monthly", in: atelier, level: 1, Period(1, .month), cents: 699, trial: Period(1, .week),
      promotions: [("comeback50", 349)], graceDays: 16, popularity: 70),
    FakeProduct("atelier.yearly", in: atelier, level: 1, Period(1, .year), cents: 5999, popularity: 30),
  ]

  static func product(_ id: ProductID) -> FakeProduct? { products.first { $0.id == id } }

  static func products(in group: SubscriptionGroupID) -> [FakeProduct] { byGroup[group] ?? [] }

  private static let byGroup = Dictionary(grouping: products, by: \.group)
}

/// Auto-renewable product of the fictional app, as configured in App Store Connect.
struct FakeProduct: Sendable {
  let id: ProductID
  let group: SubscriptionGroupID
  let level: Int
  let period: Period
  let trial: Period?
  let introPeriod: Period?
  let promotions: [String]
  let codes: [String]
  let graceDays: Int64
  let isFamilyShareable: Bool
  /// Weight in the random choice among the products of its group.
  let popularity: Int
  let entries: [CatalogEntry]

  /// - Parameters:
  ///   - cents: Standard price in US cents, or in euro cents in the group `atelier`; `nil` if the price
  ///     catalog lacks the product.
  ///   - risenCents: Price from `FakeCatalog.priceRise` on.
  fileprivate init(
    _ name: String, in group: SubscriptionGroupID = FakeCatalog.membership, level: Int, _ period: Period,
    cents: Int64?, risenCents: Int64? = nil, trial: Period? = nil,
    intro: (period: Period, cents: Int64)? = nil,
    promotions: [(String, Int64)] = [], codes: [(String, Int64)] = [], graceDays: Int64 = 0,
    isFamilyShareable: Bool = false, popularity: Int
  ) {
    id = ProductID("com.example.lumen." + name)
    (self.group, self.level, self.period, self.trial) = (group, level, period, trial)
    introPeriod = intro?.period
    (self.promotions, self.codes) = (promotions.map(\.0), codes.map(\.0))
    (self.graceDays, self.isFamilyShareable, self.popularity) = (graceDays, isFamilyShareable, popularity)
    let prices: [(offer: Offer, period: Period, cents: Int64?, from: Instant?)] =
      [(.standard, period, cents, nil), (.standard, period, risenCents, FakeCatalog.priceRise)]
      + [(.trial, trial ?? period, trial == nil ? nil : 0, nil)]
      + [(.intro, intro?.period ?? period, intro?.cents, nil)]
      + promotions.map { (.promo($0), period, $1, nil) } + codes.map { (.code($0), period, $1, nil) }
    let currency = CurrencyCode(group == FakeCatalog.atelier ? "EUR" : "USD")
    entries = prices.compactMap { [id] price in
      guard let cents = price.cents else { return nil }
      return CatalogEntry(
        productID: id, subscriptionGroupID: group, level: level, period: price.period, offer: price.offer,
        price: Money(micros: cents * 10_000, currency: currency), validFrom: price.from)
    }
  }

  /// Returns the plans that a customer can change to at once: a higher level, or the same level and period.
  ///
  /// If `atOnce` is false, returns the plans that a customer can change to at the renewal: all others.
  func changes(atOnce: Bool) -> [FakeProduct] {
    FakeCatalog.products(in: group).filter {
      let isAtOnce = $0.level < level || ($0.level == level && $0.period == period)
      return $0.id != id && $0.popularity > 0 && isAtOnce == atOnce
    }
  }
}

extension FakeCatalog {
  /// *App Store Server API › type*.
  static func productType(of row: Transaction) -> String {
    let isLasting = row.productID == nonConsumable
    return row.expiresDate != nil
      ? "Auto-Renewable Subscription" : isLasting ? "Non-Consumable" : "Consumable"
  }

  /// Returns the price paid, in micros, also for products that the catalog does not list.
  static func micros(of row: Transaction) -> Int64? {
    if let entry = catalog.entry(for: row) { return entry.price.single }
    return unlisted[row.productID]
  }

  private static let unlisted: [ProductID: Int64] = [
    unpricedProduct: 3_990_000, consumables[0]: 1_990_000, consumables[1]: 7_990_000,
    nonConsumable: 4_990_000,
  ]

  public static let catalog = Catalog(entries)

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

  public static let entries = products.flatMap(\.entries)

  private static func decimal(micros: Int64) -> String {
    let cents = micros / 10_000
    return "\(cents / 100).\(cents % 100 < 10 ? "0" : "")\(cents % 100)"
  }
}
