/// What a question is set beside: the same of another time, product, storefront or environment.
public enum Comparison: Hashable, Sendable {
  /// The window before.
  case before
  /// The same days a year earlier.
  case year
  /// Two products; nil is those that the question is about.
  case products(ProductID?, ProductID)
  /// Two storefronts; nil is those that the question is about.
  case storefronts(StorefrontCode?, StorefrontCode)
  case environment(EnvironmentScope)

  /// What stands first.
  public func this(_ question: Question) -> Question {
    var this = question
    switch self {
    case .products(let product?, _): this.products = [product]
    case .storefronts(let storefront?, _): this.storefronts = .only(storefront)
    case .before, .year, .products, .storefronts, .environment: break
    }
    return this
  }

  /// What it is compared with.
  public func that(_ question: Question) -> Question {
    var that = question
    switch self {
    case .before: that.lookBack(to: question.window.from)
    case .year: that.lookBack(to: question.at.aYearEarlier)
    case .products(_, let product): that.products = [product]
    case .storefronts(_, let storefront): that.storefronts = .only(storefront)
    case .environment(let environment): that.environment = environment
    }
    return that
  }

  /// Whether both are of one time.
  var isOfOneTime: Bool { self != .before && self != .year }

  /// Whether a figure means the same on both sides: what is told apart by product is not, where products are compared.
  func compares(_ path: String) -> Bool {
    switch self {
    case .products: !path.contains("by_product.")
    case .storefronts: !path.contains("by_storefront.")
    case .before, .year, .environment: true
    }
  }
}

extension Comparison {
  /// Panels whose figures are of positions alone, which are what Apple tells a storefront of.
  public static let panelsOfStorefronts: Set<Panel> = [.active, .movement]

  /// Those that have figures to be compared.
  public static let panels = Panel.allCases.filter { $0 != .events }

  /// Reads `before`, `year`, `product:ID`, `storefront:DEU` and `environment:sandbox`; of products and storefronts two may stand there,
  /// with a comma between. Nil where it is none.
  public init?(parsing text: String) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2 else {
      switch text {
      case "before": self = .before
      case "year": self = .year
      default: return nil
      }
      return
    }
    let ids = parts[1].split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    guard ids.count <= 2, let last = ids.last, !ids.contains("") else { return nil }
    let first = ids.count == 2 ? ids[0] : nil
    switch parts[0] {
    case "product": self = .products(first.map { ProductID($0) }, ProductID(last))
    case "storefront":
      self = .storefronts(
        first.map { StorefrontCode(rawValue: $0.uppercased()) }, StorefrontCode(rawValue: last.uppercased()))
    case "environment":
      guard first == nil, let environment = EnvironmentScope(rawValue: last) else { return nil }
      self = .environment(environment)
    default: return nil
    }
  }
}

extension Question {
  /// Asks about an earlier instant, with what is known to this question.
  fileprivate mutating func lookBack(to earlier: Instant) {
    knownAt = knownAt ?? at
    at = earlier
    isLookingBack = true
  }
}

extension Instant {
  /// The same day and time a year earlier; of 29 February the 28th.
  var aYearEarlier: Instant {
    Instant(startOf: civilDate.adding(months: -12)) + millisecondOfDay
  }
}
