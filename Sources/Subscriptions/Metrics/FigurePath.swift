/// Figure of a panel as named by a user or a program: its path in the panel's JSON.
public struct FigurePath: Hashable, Sendable {
  /// Name of the figure in rows, without product, storefront or part.
  public var name: String
  /// Product of a `by_product.…` figure.
  public var product: ProductID?
  /// Storefront of a `by_storefront.…` figure.
  public var storefronts = StorefrontScope.all

  /// Part of the movement for a `by_….` figure.
  public var part: MovementPart?

  public init?(_ path: String, of panel: Panel) {
    if panel == .movement, let (part, rest) = Self.part(of: path) {
      guard panel.figure(rest) != nil else { return nil }
      name = rest
      switch part.split {
      case .product: product = part.value.map { ProductID($0) }
      case .storefront: storefronts = .only(part.value.map { StorefrontCode($0) })
      case .week, .month, .kind, .currency: self.part = part
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
    let table = FigureTable.of(panel)
    for breakdown in table.breakdowns where path.hasPrefix("\(breakdown.path).") {
      guard let (value, rest) = Self.value(of: path.dropFirst(breakdown.path.count + 1), breakdown.key),
        let figure = breakdown.figures.first(where: { $0.name == rest })
      else { return nil }
      name = figure.path
      switch breakdown.key {
      case .product: product = ProductID(value)
      case .storefront: storefronts = .only(Self.storefront(called: value))
      }
      return
    }
    name = table.rows[path] ?? path
    guard panel.figure(name) != nil else { return nil }
  }

  /// Splits `com.example.pro.offers.promo.SPRING.started`. Product ids and offer ids may both contain dots.
  private static func ofOffer(_ path: Substring) -> (product: String, name: String)? {
    let parts = path.split(separator: ".", omittingEmptySubsequences: false)
    guard let place = parts.firstIndex(of: "offers"), place > 0 else { return nil }
    return (parts[..<place].joined(separator: "."), parts[place...].joined(separator: "."))
  }

  /// Splits off the product or storefront. Product ids may contain dots.
  private static func value(of path: Substring, _ key: FigureBreakdown.Key) -> (String, rest: String)? {
    guard let dot = path.lastIndex(of: "."), dot > path.startIndex else { return nil }
    let value = path[..<dot]
    return key == .storefront && value.contains(".")
      ? nil : (String(value), String(path[path.index(after: dot)...]))
  }

  /// Splits `by_kind.intro.subscribers.new`. Figures of the movement always have two components.
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

  /// Returns `nil` for the unknown storefront.
  fileprivate static func storefront(called name: String) -> StorefrontCode? {
    let code = name.uppercased()
    return code == unknown.uppercased() ? nil : StorefrontCode(code)
  }

  private static let unknown = "unknown"
}

extension Question {
  /// Narrows the question to the product, storefront or part of a figure. If the question excludes that
  /// product, the result matches nothing.
  public func narrowed(to path: FigurePath) -> Question {
    var narrowed = self
    if let product = path.product { narrowed.products = includes(product) ? [product] : [ProductID("")] }
    if path.storefronts != .all { narrowed.storefronts = path.storefronts }
    if let part = path.part { narrowed.part = part }
    return narrowed
  }
}

extension StorefrontScope {
  /// Reads a country code such as `USA`, or `unknown` for purchases without a storefront. Returns `nil` for
  /// other text.
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
  /// Whether all counted data has a storefront. Refunds, upgrades, renewals and events have none.
  public var tellsStorefronts: Bool {
    switch self {
    case .movement, .active, .billingRetry, .cohorts, .recovery, .offers: true
    case .overview, .churn, .refunds, .upgrades, .events: false
    }
  }

  /// Meaning of a rise of a figure, or of a value that opens into its rows.
  public func rise(of path: String) -> Rise {
    FigurePath(path, of: self).flatMap { figure($0.name) }?.rise ?? .neutral
  }
}
