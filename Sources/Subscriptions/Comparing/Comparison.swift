/// What a question is set beside: the same of another time, product, storefront, offer, cohort or environment.
public enum Comparison: Hashable, Sendable {
  /// The window before.
  case before
  /// The same days a year earlier; of cohorts those that began a year before, at the same age.
  case year
  /// Two products; nil is those that the question is about.
  case products(ProductID?, ProductID)
  /// Two storefronts; nil is those that the question is about.
  case storefronts(StorefrontCode?, StorefrontCode)
  /// Of cohorts: lines first paid by either of two offers; nil is those that the question is about.
  case offers(OfferScope?, OfferScope)
  /// Lines that began in one month, beside those of another; nil is every cohort on average.
  case cohorts(CivilMonth?, CivilMonth)
  case environment(EnvironmentScope)

  /// What stands first.
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

  /// What it is compared with.
  public func that(_ question: Question) -> Question {
    var that = question
    switch self {
    case .before: that.lookBack(to: question.window.from)
    case .year: that.lookBack(to: question.at.aYearEarlier)
    case .products(_, let product): that.products = [product]
    case .storefronts(_, let storefront): that.storefronts = .only(storefront)
    case .offers(_, let offer): that.offers = offer
    case .cohorts: break
    case .environment(let environment): that.environment = environment
    }
    return that
  }

  /// Whether both are of one time.
  public var isOfOneTime: Bool { self != .before && self != .year }

  /// Whether a figure of a panel means the same on both sides, and is told: what is told apart by product is not, where products are
  /// compared.
  func compares(_ path: String, of panel: Panel) -> Bool {
    switch self {
    case .products: !path.contains("by_product.")
    case .storefronts: !path.contains("by_storefront.") && !leavesOut(path, of: panel)
    case .before, .year, .offers, .cohorts, .environment: true
    }
  }

  /// Whether a figure is nothing that the panel's storefronts could be told apart by.
  func leavesOut(_ path: String, of panel: Panel) -> Bool {
    leftOut(of: panel).contains(String(path.prefix { $0 != "." }))
  }

  /// Members of the panel's figures that are not told, where only some are.
  func leftOut(of panel: Panel) -> Set<String> {
    if case .storefronts = self { panel.untoldByStorefront ?? [] } else { [] }
  }

  /// By how many months the cohort beside another began earlier.
  func cohortsApart(of panel: Panel) -> Int {
    guard panel == .cohorts else { return 0 }
    return switch self {
    case .year: 12
    case .cohorts(let first?, let second): first.index - second.index
    default: 0
    }
  }

  /// What a figure of the first side is called on the other.
  public func otherFigure(_ figure: String, of panel: Panel) -> String {
    let apart = cohortsApart(of: panel)
    guard apart != 0, var cell = CohortCell(path: figure) else { return figure }
    cell.month = cell.month.adding(months: -apart)
    return cell.path
  }
}

extension Panel {
  /// Whether two storefronts can be compared, by all that it counts or a part of it.
  public var comparesStorefronts: Bool { untoldByStorefront != nil }

  /// Members of its figures that are not told apart by storefront: METRICS §4. Nil where nothing is that one would compare.
  var untoldByStorefront: Set<String>? {
    switch self {
    case .overview:
      ["refunds", "refund_amount", "prorated_refund", "due", "renewals", "trials", "newest_events"]
    case .churn: ["renewals", "trials"]
    case .refunds, .upgrades, .events: nil
    case .movement, .active, .billingRetry, .cohorts, .recovery, .offers: []
    }
  }
}

extension Comparison {
  /// Those that have figures to be compared.
  public static let panels = Panel.allCases.filter { $0 != .events }

  /// Reads `before`, `year`, `product:ID`, `storefront:DEU`, `offer:code:FRIEND`, `cohort:2026-03` and `environment:sandbox`; but for
  /// environments two may stand there, with a comma between. Nil where it is none.
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
    case "offer":
      guard let offer = OfferScope(comparing: last) else { return nil }
      let other = first.map(OfferScope.init(comparing:))
      if case .some(nil) = other { return nil }
      self = .offers(other.flatMap(\.self), offer)
    case "cohort":
      guard let month = CivilMonth(parsing: last) else { return nil }
      let other = first.map(CivilMonth.init(parsing:))
      if case .some(nil) = other { return nil }
      self = .cohorts(other.flatMap(\.self), month)
    case "environment":
      guard first == nil, let environment = EnvironmentScope(rawValue: last) else { return nil }
      self = .environment(environment)
    default: return nil
    }
  }
}

extension OfferScope {
  /// Nobody is first paid in a trial.
  fileprivate init?(comparing text: String) {
    self.init(parsing: text)
    if contains(.trial, nil) { return nil }
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
