/// Figures of one panel, with their scope and trust.
public struct Report: Hashable, Sendable, Encodable {
  /// Restrictions of the report; `nil` fields do not restrict it.
  public struct Scope: Hashable, Sendable, Encodable {
    public var environment: EnvironmentScope
    public var ownership: String
    public var products: [ProductID]?
    /// Storefront; `unknown` for rows without a storefront.
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
  /// Rows without an exchange rate, added up over the report's amounts; `nil` without a reporting currency.
  public var unconverted: Int?
  public var trust: Trust
  public var data: FigureValues
  public var trend: Trend

  public init(answering question: Question, trust: Trust, data: FigureValues, trend: Trend? = nil) {
    report = question.panel
    asOfMs = question.at
    window = question.window
    scope = Scope(of: question)
    (self.trust, self.data) = (trust, data)
    reportingCurrency = question.reportingCurrency
    unconverted = question.reportingCurrency == nil ? nil : data.unconverted(of: question.panel)
    self.trend = trend ?? Trend(of: question.window)
  }
}

extension FigureValues {
  /// Returns the number of rows without an exchange rate, in amounts that are not part of another amount.
  func unconverted(of panel: Panel) -> Int {
    if panel == .movement { return movement?.groups.reduce(0) { $0 + $1.unconverted } ?? 0 }
    let offers = self[parts: "offers"].flatMap { [$0[amounts: "cost"], $0[amounts: "brought"]] }
    let amounts =
      (FigureTable.of(panel).wholes + ["mrr.entered"]).map { self[amounts: $0] }
      + self[parts: "due"].suffix(1).map { $0[amounts: "expected"] }
      + self[parts: "rows"].map { $0[amounts: "mrr"] } + offers
    return amounts.reduce(0) { $0 + $1.unconverted }
  }
}
