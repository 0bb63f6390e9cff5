/// A figure of a panel as a person or a program names it: its path in the panel's JSON.
public struct FigurePath: Hashable, Sendable {
  /// The name that rows bear.
  public var name: String
  /// The product of a `by_product.…` figure.
  public var product: ProductID?
  /// The storefront of a `by_storefront.…` figure.
  public var storefronts = StorefrontScope.all

  /// The value of a split that a `by_….` figure of the movement is of.
  public var part: MovementPart?

  static let byStorefront = "by_storefront."
  static let salesByStorefront = "sales.by_storefront."

  /// Nil where the panel has no such figure.
  public init?(_ path: String, of panel: Panel) {
    if panel == .movement, let (part, rest) = Self.part(of: path) {
      guard panel.figure(rest) != nil else { return nil }
      name = rest
      switch part {
      case .product(let product): self.product = product
      case .storefront(let storefront): storefronts = .only(storefront)
      default: self.part = part
      }
      return
    }
    let prefix = "by_product."
    if panel == .offers, path.hasPrefix(prefix),
      let (product, name) = Self.ofOffer(path.dropFirst(prefix.count))
    {
      guard panel.figure(name) != nil else { return nil }
      (self.name, self.product) = (name, ProductID(product))
      return
    }
    if path.hasPrefix(prefix), let (product, rest) = Self.product(of: path.dropFirst(prefix.count)) {
      guard let name = Self.ofProduct[panel]?[rest] else { return nil }
      self.name = name
      self.product = product
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

  /// `com.example.pro.offers.promo.SPRING.started`; both a product's id and an offer's have dots.
  private static func ofOffer(_ path: Substring) -> (product: String, name: String)? {
    let parts = path.split(separator: ".", omittingEmptySubsequences: false)
    guard let place = parts.firstIndex(of: "offers"), place > 0 else { return nil }
    return (parts[..<place].joined(separator: "."), parts[place...].joined(separator: "."))
  }

  /// Product ids have dots of their own.
  private static func product(of path: Substring) -> (ProductID, rest: String)? {
    path.lastIndex(of: ".").flatMap { dot in
      dot > path.startIndex
        ? (ProductID(String(path[..<dot])), String(path[path.index(after: dot)...])) : nil
    }
  }

  /// `by_kind.intro.subscribers.new`: each figure of the movement has two parts.
  private static func part(of path: String) -> (MovementPart, rest: String)? {
    guard let split = MovementSplit.allCases.first(where: { path.hasPrefix("by_\($0.rawValue).") }) else {
      return nil
    }
    let parts = path.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count >= 4 else { return nil }
    let value = parts.dropFirst().dropLast(2).joined(separator: ".")
    guard !value.isEmpty, let part = MovementPart(split, named: value) else { return nil }
    return (part, parts.suffix(2).joined(separator: "."))
  }

  private static func ofStorefront(_ path: String, _ panel: Panel) -> (name: String, StorefrontCode?)? {
    guard let (prefix, names) = storefrontFigures[panel]?.first(where: { path.hasPrefix($0.prefix) }) else {
      return nil
    }
    let parts = path.dropFirst(prefix.count).split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, let name = names[String(parts[1])] else { return nil }
    return (name, storefront(called: String(parts[0])))
  }

  /// Reads `name(of:)`; nil is unknown.
  fileprivate static func storefront(called name: String) -> StorefrontCode? {
    let code = name.uppercased()
    return code == unknown.uppercased() ? nil : StorefrontCode(code)
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
    .recovery: Dictionary(
      uniqueKeysWithValues: ["entered", "recovered", "still_retrying", "lost"].map { ("mrr.\($0)", $0) }
        + ["curve", "curve_before", "with_grace.curve", "without_grace.curve"].flatMap { curve in
          RecoveryFigures.days.flatMap { days in
            [("rate", "recovered"), ("recovered_mrr", "recovered"), ("of_mrr", "of")].map {
              ("\(curve).\(days).\($0)", "\(curve).\(days).\($1)")
            }
          }
        }),
    .offers: ["opt_outs.at_stake_mrr": "opt_outs.at_stake"],
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
    .recovery: [
      "entered": "entered", "recovered": "recovered", "still_retrying": "still_retrying", "lost": "lost",
    ],
    .billingRetry: ["lines": "lines"], .refunds: ["count": "count", "amount": "amount"],
  ]
}

extension Question {
  /// The question about the product or storefront of a figure alone, where that is among those asked about; else about none.
  public func narrowed(to path: FigurePath) -> Question {
    var narrowed = self
    if let product = path.product { narrowed.products = includes(product) ? [product] : [ProductID("")] }
    if path.storefronts != .all { narrowed.storefronts = path.storefronts }
    if let part = path.part { narrowed.part = part }
    return narrowed
  }
}

extension StorefrontScope {
  /// Reads `USA`, or `unknown` for what nobody told a storefront of; nil for what is no code of a country.
  public init?(parsing text: String) {
    let storefront = FigurePath.storefront(called: text)
    guard
      storefront.map({ code in code.rawValue.utf8.count == 3 && code.rawValue.allSatisfy(\.isLetter) })
        ?? true
    else { return nil }
    self = .only(storefront)
  }
}

extension Panel {
  /// Whether everything that the panel counts is told apart by its storefront: refunds, upgrades, renewals and events are not.
  public var tellsStorefronts: Bool {
    switch self {
    case .movement, .active, .billingRetry, .cohorts, .recovery, .offers: true
    case .overview, .churn, .refunds, .upgrades, .events: false
    }
  }
}
