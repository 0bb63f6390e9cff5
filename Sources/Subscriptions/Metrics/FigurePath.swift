/// A figure of a panel as a person or a program names it: its path in the panel's JSON.
public struct FigurePath: Hashable, Sendable {
  /// The name that rows bear.
  public var name: String
  /// The product of a `by_product.…` figure.
  public var product: ProductID?

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
    name = Self.same[panel]?[path] ?? path
    guard panel.figure(name) != nil else { return nil }
  }

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
  /// The question about one product alone, where it is among those asked about; else about none.
  public func narrowed(to product: ProductID?) -> Question {
    guard let product else { return self }
    var narrowed = self
    narrowed.products = includes(product) ? [product] : [ProductID("")]
    return narrowed
  }
}
