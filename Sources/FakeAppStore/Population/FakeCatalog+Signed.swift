import Subscriptions

/// What only signed data tells of products.
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

  /// What was paid at the catalogue's price points, in millionths. What the catalogue leaves out has its price too: receipts do not tell it.
  static func micros(of row: Transaction) -> Int64? {
    if let entry = catalog.entry(for: row) { return entry.price.single }
    return unlisted[row.productID]
  }

  private static let unlisted: [ProductID: Int64] = [
    unpricedProduct: 3_990_000, consumables[0]: 1_990_000, consumables[1]: 7_990_000,
    nonConsumable: 4_990_000,
  ]
}
