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

  /// Nil where the panel has no such figure.
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

  /// `com.example.pro.offers.promo.SPRING.started`; both a product's id and an offer's have dots.
  private static func ofOffer(_ path: Substring) -> (product: String, name: String)? {
    let parts = path.split(separator: ".", omittingEmptySubsequences: false)
    guard let place = parts.firstIndex(of: "offers"), place > 0 else { return nil }
    return (parts[..<place].joined(separator: "."), parts[place...].joined(separator: "."))
  }

  /// Product ids have dots of their own.
  private static func value(of path: Substring, _ key: FigureBreakdown.Key) -> (String, rest: String)? {
    guard let dot = path.lastIndex(of: "."), dot > path.startIndex else { return nil }
    let value = path[..<dot]
    return key == .storefront && value.contains(".")
      ? nil : (String(value), String(path[path.index(after: dot)...]))
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

  /// Nil is unknown.
  fileprivate static func storefront(called name: String) -> StorefrontCode? {
    let code = name.uppercased()
    return code == unknown.uppercased() ? nil : StorefrontCode(code)
  }

  private static let unknown = "unknown"
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

  /// Meaning of a rise of a figure, or of a value that opens into its rows.
  public func rise(of path: String) -> Rise {
    FigurePath(path, of: self).flatMap { figure($0.name) }?.rise ?? .neutral
  }
}
