/// A figure of a panel as a person or a program names it: its path in the panel's JSON.
public struct FigurePath: Hashable, Sendable {
  /// The name that rows bear.
  public var name: String
  /// The product of a `by_product.…` figure.
  public var product: ProductID?
  /// The storefront of a `by_storefront.…` figure.
  public var storefronts = StorefrontScope.all

  static let byStorefront = "by_storefront."
  static let salesByStorefront = "sales.by_storefront."

  /// Nil where the panel has no such figure.
  public init?(_ path: String, of panel: Panel) {
    let prefix = "by_product."
    if path.hasPrefix(prefix), let dot = path.lastIndex(of: "."),
      dot > path.index(path.startIndex, offsetBy: prefix.count)
    {
      // Product ids have dots of their own.
      let figure = String(path[path.index(after: dot)...])
      guard let name = Self.ofProduct[panel]?[figure] else { return nil }
      self.name = name
      product = ProductID(String(path[path.index(path.startIndex, offsetBy: prefix.count)..<dot]))
      return
    }
    if let (name, storefront) = Self.ofStorefront(path, panel) {
      self.name = name
      storefronts = .only(storefront)
      return
    }
    name = Self.same[panel]?[path] ?? path
    guard panel.figure(name) != nil else { return nil }
  }

  private static func ofStorefront(_ path: String, _ panel: Panel) -> (name: String, StorefrontCode?)? {
    guard let (prefix, names) = storefrontFigures[panel]?.first(where: { path.hasPrefix($0.prefix) }) else {
      return nil
    }
    let parts = path.dropFirst(prefix.count).split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, let name = names[String(parts[1])] else { return nil }
    let storefront = parts[0].uppercased()
    return (name, storefront == unknown.uppercased() ? nil : StorefrontCode(storefront))
  }

  /// What a storefront is called in a path.
  static func name(of storefront: StorefrontCode?) -> String { storefront?.rawValue ?? unknown }

  private static let unknown = "unknown"

  private static let storefrontFigures: [Panel: [(prefix: String, names: [String: String])]] = [
    .active: [(byStorefront, ofProduct[.active] ?? [:])],
    .overview: [
      (byStorefront, ofProduct[.overview] ?? [:]),
      (
        salesByStorefront,
        ["transactions": "sales.transactions", "amount": "sales.amount", "proceeds": Panel.proceeds]
      ),
    ],
  ]

  /// Figures that are made of the rows of another: users of their lines, a rate of its numerator.
  private static let same: [Panel: [String: String]] = [
    .billingRetry: ["users": "lines", "grace.users": "grace.lines"],
    .refunds: ["cohort.rate": "cohort.refunded"],
    .active: revenueParts,
    .overview: revenueParts.merging(
      [
        "cohort.rate": "cohort.refunded", "due.1.expected": "due.1.renewing",
        "due.7.expected": "due.7.renewing",
      ]
    ) { old, _ in old },
  ]

  private static let revenueParts = [
    "mrr_parts.renewing": "renewing", "mrr_parts.auto_renew_off": "auto_renew_off",
    "mrr_parts.auto_renew_unknown": "auto_renew_unknown", "mrr_parts.grace": "grace",
  ]

  private static let ofProduct: [Panel: [String: String]] = [
    .active: ["paid": "paid", "trial": "trial", "grace": "grace", "mrr": "mrr"],
    .overview: ["paid": "active_paid", "trial": "trial", "grace": "grace", "mrr": "mrr"],
    .billingRetry: ["lines": "lines"], .refunds: ["count": "count", "amount": "amount"],
  ]
}

extension Question {
  /// The question about the product or storefront of a figure alone, where that is among those asked about; else about none.
  public func narrowed(to path: FigurePath) -> Question {
    var narrowed = self
    if let product = path.product { narrowed.products = includes(product) ? [product] : [ProductID("")] }
    if path.storefronts != .all { narrowed.storefronts = path.storefronts }
    return narrowed
  }
}
