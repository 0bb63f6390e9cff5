import Subscriptions

/// What the fictional app *Lumen* sells, and for how much.
public enum FakeCatalog {
  public static let bundleID = BundleID("com.example.lumen")

  /// `com.example.lumen`, `com.example.lumen2`, and so on; the first is 0.
  public static func bundleID(ofApp app: Int) -> BundleID {
    app == 0 ? bundleID : BundleID("\(bundleID)\(app + 1)")
  }

  /// Apple's id of an app; of one that is none of these, the first app's.
  public static func appleID(of bundleID: BundleID) -> Int64 {
    let number =
      bundleID.rawValue.hasPrefix(Self.bundleID.rawValue)
      ? Int64(bundleID.rawValue.dropFirst(Self.bundleID.rawValue.count)) : nil
    return 1_450_000_001 + 100 * ((number ?? 1) - 1)
  }

  static let membership = SubscriptionGroupID("21450001")
  static let atelier = SubscriptionGroupID("21450002")

  /// Sold to the first customers, and left out of the catalogue: what it earns is unpriced.
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
  /// What a customer can move up to, or across to, at once: a higher level, or the same level for the same time.
  var immediateChanges: [FakeProduct] {
    FakeCatalog.products.filter {
      $0.group == group && $0.id != id && $0.popularity > 0
        && ($0.level < level || ($0.level == level && $0.period == period))
    }
  }

  /// What a customer can only move to at the next renewal.
  var changesAtRenewal: [FakeProduct] {
    FakeCatalog.products.filter {
      $0.group == group && $0.id != id && $0.popularity > 0
        && ($0.level > level || ($0.level == level && $0.period != period))
    }
  }
}
