/// Comparison of one question for two times, products, storefronts, offers, cohorts or environments.
public enum Comparison: Hashable, Sendable {
  case before
  /// Same days a year earlier; a cohort is compared at the same age with the cohort of a year earlier.
  case year
  /// Two products; `nil` means the question's products.
  case products(ProductID?, ProductID)
  /// Two storefronts; `nil` means the question's storefronts.
  case storefronts(StorefrontCode?, StorefrontCode)
  /// Lines whose first payment was with one of two offers; `nil` means the question's offers.
  case offers(OfferScope?, OfferScope)
  /// Cohorts of two months; `nil` means the average of all cohorts.
  case cohorts(CivilMonth?, CivilMonth)
  case environment(EnvironmentScope)

  public func this(_ question: Question) -> Question {
    var this = question
    switch self {
    case .products(let product?, _): this.products = [product]
    case .storefronts(let storefront?, _): this.storefronts = .only(storefront)
    case .offers(let offer?, _): this.offers = offer
    case .before, .year, .products, .storefronts, .offers, .cohorts, .environment: break
    }
    return this
  }

  public func that(_ question: Question) -> Question {
    var that = question
    switch self {
    case .before: that.lookBack(to: question.before.at)
    case .year:
      that.lookBack(to: question.length.end(question.at, earlierBy: 12) ?? question.at.adding(months: -12))
    case .products(_, let product): that.products = [product]
    case .storefronts(_, let storefront): that.storefronts = .only(storefront)
    case .offers(_, let offer): that.offers = offer
    case .cohorts: break
    case .environment(let environment): that.environment = environment
    }
    return that
  }

  public var isOfOneTime: Bool { self != .before && self != .year }

  /// Whether a figure is compared: it is neither a breakdown by the compared dimension nor left out.
  func compares(_ path: String, of panel: Panel) -> Bool {
    switch self {
    case .products: !path.contains("by_product.")
    case .storefronts: !path.contains("by_storefront.") && !leavesOut(path, of: panel)
    case .before, .year, .offers, .cohorts, .environment: true
    }
  }

  /// Whether the comparison of storefronts omits the figure, because the figure is not split by storefront.
  func leavesOut(_ path: String, of panel: Panel) -> Bool {
    leftOut(of: panel).contains(String(path.prefix { $0 != "." }))
  }

  func leftOut(of panel: Panel) -> Set<String> {
    if case .storefronts = self { panel.undividedByStorefront ?? [] } else { [] }
  }

  /// Returns the number of months from a cohort of `that` to its counterpart in `this`; 0 without one.
  func cohortsApart(of panel: Panel) -> Int {
    guard panel == .cohorts else { return 0 }
    return switch self {
    case .year: 12
    case .cohorts(let first?, let second): first.index - second.index
    default: 0
    }
  }

  public func otherFigure(_ figure: String, of panel: Panel) -> String {
    let apart = cohortsApart(of: panel)
    guard apart != 0, var cell = CohortCell(path: figure) else { return figure }
    cell.month = cell.month.adding(months: -apart)
    return cell.path
  }

  public static let panels = Panel.allCases.filter { $0 != .events }

  /// Parses `before`, `year`, `product:ID`, `storefront:DEU`, `offer:code:FRIEND`, `cohort:2026-03` or
  /// `environment:sandbox`; all except the first two and the last accept two values, as in `product:A,B`.
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
    guard ids.count <= 2, !ids.contains("") else { return nil }
    func both<Value>(_ read: (String) -> Value?) -> (Value?, Value)? {
      let values = ids.compactMap(read)
      guard values.count == ids.count, let last = values.last else { return nil }
      return (values.count == 2 ? values[0] : nil, last)
    }
    let read: Comparison? =
      switch parts[0] {
      case "product": both { ProductID($0) }.map { .products($0, $1) }
      case "storefront": both { StorefrontCode(rawValue: $0.uppercased()) }.map { .storefronts($0, $1) }
      case "offer": both(OfferScope.init(comparing:)).map { .offers($0, $1) }
      case "cohort": both(CivilMonth.init(parsing:)).map { .cohorts($0, $1) }
      case "environment" where ids.count == 1: EnvironmentScope(rawValue: ids[0]).map { .environment($0) }
      default: nil
      }
    guard let read else { return nil }
    self = read
  }
}

extension Panel {
  public var comparesStorefronts: Bool { undividedByStorefront != nil }

  /// First path components of figures not divided by storefront; `nil` if storefronts cannot be compared.
  var undividedByStorefront: Set<String>? {
    switch self {
    case .overview:
      ["refunds", "refund_amount", "prorated_refund", "due", "renewals", "trials", "newest_events"]
    case .churn: ["renewals", "trials"]
    case .refunds, .upgrades, .events: nil
    case .movement, .active, .billingRetry, .cohorts, .recovery, .offers: []
    }
  }
}

extension OfferScope {
  /// Parses the offer of the first payment; `nil` for unreadable text, and for a trial, which is not paid.
  fileprivate init?(comparing text: String) {
    self.init(parsing: text)
    if contains(.trial, nil) { return nil }
  }
}
