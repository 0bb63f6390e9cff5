/// Figures of one panel, with their scope and trust.
public struct Report: Hashable, Sendable, Encodable {
  public struct Scope: Hashable, Sendable, Encodable {
    public var environment: EnvironmentScope
    public var ownership: String
    public var products: [ProductID]?
    /// `unknown` for rows without a storefront.
    public var storefront: String?
    public var offer: String?

    init(of question: Question) {
      environment = question.environment
      ownership = OwnershipType.purchased.rawValue
      if !question.products.isEmpty { products = question.products.sorted() }
      if case .only(let one) = question.storefronts { storefront = one?.rawValue ?? "unknown" }
      if question.offers != .all { offer = question.offers.text }
    }
  }

  public var report: Panel
  public var asOfMs: Instant
  public var window: Window
  public var scope: Scope
  public var reportingCurrency: CurrencyCode?
  /// Number of rows without a rate, each as often as it is counted.
  public var unconverted: Int?
  public var trust: Trust
  public var data: Figures
  public var trend: Trend

  public init(answering question: Question, trust: Trust, data: Figures, trend: Trend? = nil) {
    report = question.panel
    asOfMs = question.at
    window = question.window
    scope = Scope(of: question)
    self.trust = trust
    self.data = data
    reportingCurrency = question.reportingCurrency
    unconverted = question.reportingCurrency == nil ? nil : data.unconverted
    self.trend = trend ?? Trend(of: question.window)
  }
}

public enum Figures: Hashable, Sendable {
  case overview(OverviewFigures)
  case active(ActiveFigures)
  case billingRetry(BillingRetryFigures)
  case recovery(RecoveryFigures)
  case churn(ChurnFigures)
  case cohorts(CohortFigures)
  case offers(OfferFigures)
  case refunds(RefundFigures)
  case upgrades(UpgradeFigures)
  case events(EventFigures)
  case declared(LedgerFigures)
}

extension Figures: Encodable {
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .overview(let figures): try figures.encode(to: encoder)
    case .active(let figures): try figures.encode(to: encoder)
    case .billingRetry(let figures): try figures.encode(to: encoder)
    case .recovery(let figures): try figures.encode(to: encoder)
    case .churn(let figures): try figures.encode(to: encoder)
    case .cohorts(let figures): try figures.encode(to: encoder)
    case .offers(let figures): try figures.encode(to: encoder)
    case .refunds(let figures): try figures.encode(to: encoder)
    case .upgrades(let figures): try figures.encode(to: encoder)
    case .events(let figures): try figures.encode(to: encoder)
    case .declared(let figures): try figures.encode(to: encoder)
    }
  }
}
