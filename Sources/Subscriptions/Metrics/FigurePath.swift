/// Parsed path of a figure in a panel's JSON.
public struct FigurePath: Hashable, Sendable {
  /// Path of the figure without the product, storefront or other part, as in `FigureRow.figures`.
  public let name: String
  /// Product, storefront or other part in a `by_….` path; `nil` for the whole figure.
  fileprivate let part: MovementPart?

  public var product: ProductID? { part?.split == .product ? part?.value.map { ProductID($0) } : nil }
  public var storefronts: StorefrontScope {
    part?.split == .storefront ? .only(part?.value.map { StorefrontCode($0) }) : .all
  }

  public init?(_ path: String, of panel: Panel) {
    let table = FigureTable.of(panel)
    if panel == .movement, let (part, rest) = Self.part(of: path) {
      (name, self.part) = (rest, part)
    } else if panel == .offers, let (product, rest) = Self.ofOffer(path) {
      (name, part) = (rest, .product(ProductID(product)))
    } else if let breakdown = table.breakdowns.first(where: { path.hasPrefix("\($0.path).") }) {
      guard let (value, rest) = Self.value(of: path.dropFirst(breakdown.path.count + 1), breakdown.split),
        let figure = breakdown.figures.first(where: { $0.name == rest })
      else { return nil }
      (name, part) = (figure.path, MovementPart(breakdown.split, named: value))
    } else {
      (name, part) = (table.rows[path] ?? path, nil)
    }
    guard panel.figure(name) != nil else { return nil }
  }

  /// Splits `by_product.com.example.pro.offers.promo.SPRING.started`; product and offer may contain dots.
  private static func ofOffer(_ path: String) -> (product: String, name: String)? {
    let parts = path.split(separator: ".", omittingEmptySubsequences: false)
    guard parts[0] == "by_product", let place = parts.firstIndex(of: "offers"), place > 1 else { return nil }
    return (parts[1..<place].joined(separator: "."), parts[place...].joined(separator: "."))
  }

  /// Splits a breakdown's path into product or storefront and figure name; product ids may contain dots.
  private static func value(of path: Substring, _ split: MovementSplit) -> (String, rest: String)? {
    guard let dot = path.lastIndex(of: "."), dot > path.startIndex else { return nil }
    let value = path[..<dot]
    return split == .storefront && value.contains(".")
      ? nil : (String(value), String(path[path.index(after: dot)...]))
  }

  /// Splits `by_kind.intro.subscribers.new`, whose last two components are the figure.
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
}

extension Question {
  /// Returns the question for the path's part, or for no product if the question excludes the path's product.
  public func narrowed(to path: FigurePath) -> Question {
    var narrowed = self
    narrowed.joinsOfferKinds = path.name.hasPrefix(FactKind.OfferUse.path(nil, nil))
    if let product = path.product {
      narrowed.products = includes(product) ? [product] : [ProductID("")]
    } else if path.storefronts != .all {
      narrowed.storefronts = path.storefronts
    } else if let part = path.part {
      narrowed.part = part
    }
    return narrowed
  }
}

extension StorefrontScope {
  /// Parses a country code such as `USA`, or `unknown` for purchases without a storefront.
  public init?(parsing text: String) {
    let storefront = MovementPart(.storefront, named: text)?.value
    guard storefront.map({ $0.utf8.count == 3 && $0.allSatisfy(\.isLetter) }) ?? true else { return nil }
    self = .only(storefront.map { StorefrontCode($0) })
  }
}

extension Panel {
  /// Whether all figures of the panel have storefronts; refunds, upgrades, renewals and events have none.
  public var hasStorefronts: Bool {
    switch self {
    case .movement, .active, .billingRetry, .cohorts, .recovery, .offers: true
    case .overview, .churn, .refunds, .upgrades, .events: false
    }
  }

  /// Returns whether a rise of the value at a path is good or bad; `neutral` also if the path has no figure.
  public func rise(of path: String) -> Rise {
    FigurePath(path, of: self).flatMap { figure($0.name) }?.rise ?? .neutral
  }
}
