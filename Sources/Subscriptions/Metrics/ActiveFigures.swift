/// METRICS §4: active paid subscribers with their parts, trials apart.
public struct ActiveFigures: Hashable, Sendable, Encodable {
  public struct ByKind: Hashable, Sendable, Encodable {
    public var standard = 0
    public var intro = 0
    public var promo = 0
    public var code = 0
    public var winback = 0
    public init() {}
  }

  public struct ByProduct: Hashable, Sendable, Encodable {
    public var productId: ProductID
    public var paid = 0
    public var trial = 0
    public var grace = 0
    public var mrr = Amounts()
    public init(productId: ProductID) { self.productId = productId }
  }

  public struct ByStorefront: Hashable, Sendable, Encodable {
    /// Nil where Apple told none.
    @ExplicitNull public var storefront: StorefrontCode?
    public var paid = 0
    public var trial = 0
    public var grace = 0
    public var mrr = Amounts()
    public init(storefront: StorefrontCode?) { self.storefront = storefront }
  }

  /// Lines in `active` and in `grace`, trials' apart.
  public var paid = 0
  public var trial = 0
  /// Those in state `trial` whose auto-renew is off.
  public var trialAutoRenewOff = 0
  public var byKind = ByKind()
  /// These three speak of state `active` alone.
  public var renewing = 0
  public var autoRenewOff = 0
  public var autoRenewUnknown = 0
  public var grace = 0
  public var overdue = 0
  /// Monthly recurring revenue of the paid lines, in micros for each currency.
  public var mrr = Amounts()
  /// What of it is of state `active` by what auto-renew says, and of `grace`.
  public var mrrParts = RevenueParts()
  /// Sorted by paid lines, most first, then by name.
  public var byProduct: [ByProduct] = []
  /// The same order; empty where Apple told no storefront of any.
  public var byStorefront: [ByStorefront] = []

  public struct RevenueParts: Hashable, Sendable, Encodable {
    public var renewing = Amounts()
    public var autoRenewOff = Amounts()
    public var autoRenewUnknown = Amounts()
    public var grace = Amounts()
    public init() {}
  }

  public init() {}
}

extension ActiveFigures {
  /// - Parameter course: that of the question's window.
  public init(_ course: LedgerCourse, _ question: Question) {
    self.init()
    let counts = PanelCounts(.active, course.sums, question)
    paid = counts["paid"].lines
    trial = counts["trial"].lines
    trialAutoRenewOff = counts["trial_auto_renew_off"].lines
    for kind in PeriodKind.allCases { byKind.count(kind, by: counts["by_kind.\(kind.rawValue)"].lines) }
    (renewing, mrrParts.renewing) = (counts["renewing"].lines, counts["renewing"].monthly)
    (autoRenewOff, mrrParts.autoRenewOff) = (
      counts["auto_renew_off"].lines, counts["auto_renew_off"].monthly
    )
    (autoRenewUnknown, mrrParts.autoRenewUnknown) = (
      counts["auto_renew_unknown"].lines, counts["auto_renew_unknown"].monthly
    )
    (grace, mrrParts.grace) = (counts["grace"].lines, counts["grace"].monthly)
    overdue = counts["overdue"].lines
    mrr = counts["mrr"].monthly
    byProduct = PanelCounts.parts(of: .active, course, by: .product, question).compactMap(ByProduct.init)
      .filter { $0.paid + $0.trial > 0 }
      .sorted { $0.paid == $1.paid ? $0.productId < $1.productId : $0.paid > $1.paid }
    guard question.panel == .active else { return }
    let located = PanelCounts.parts(of: .active, course, by: .storefront, question)
      .compactMap(ByStorefront.init).filter { $0.paid + $0.trial > 0 }
    guard located.contains(where: { $0.storefront != nil }) else { return }
    byStorefront = located.sorted { $0.paid == $1.paid ? $0.path < $1.path : $0.paid > $1.paid }
  }
}

extension ActiveFigures.ByProduct {
  /// Nil where the part is no product.
  fileprivate init?(_ part: MovementPart, _ counts: PanelCounts) {
    guard case .product(let product) = part else { return nil }
    self.init(productId: product)
    paid = counts["paid"].lines
    trial = counts["trial"].lines
    grace = counts["grace"].lines
    mrr = counts["mrr"].monthly
  }
}

extension ActiveFigures.ByStorefront {
  /// Nil where the part is no storefront.
  fileprivate init?(_ part: MovementPart, _ counts: PanelCounts) {
    guard case .storefront(let storefront) = part else { return nil }
    self.init(storefront: storefront)
    paid = counts["paid"].lines
    trial = counts["trial"].lines
    grace = counts["grace"].lines
    mrr = counts["mrr"].monthly
  }

  /// Of its figures, in the panel's JSON: `by_storefront.DEU`.
  public var path: String { FigurePath.byStorefront + FigurePath.name(of: storefront) }
}

extension ActiveFigures.ByKind {
  fileprivate mutating func count(_ kind: PeriodKind, by n: Int) {
    switch kind {
    case .standard: standard += n
    case .intro: intro += n
    case .promo: promo += n
    case .code: code += n
    case .winback: winback += n
    case .trial: break
    }
  }
}

extension Row {
  /// The row's price a month; `nil` if its price or period is unknown.
  public var monthly: Money? {
    guard let price, let micros = price.monthlyMicros else { return nil }
    return Money(micros: micros, currency: price.amount.currency)
  }
}
