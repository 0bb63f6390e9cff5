/// The panels that can be asked for, named as on the command line.
public enum Panel: String, Hashable, Sendable, Codable, CaseIterable {
  case overview, active
  case billingRetry = "billing-retry"
  case churn, refunds, upgrades, events
}

/// Which environment's lines are counted. The others are counted beside, never inside.
public enum EnvironmentScope: String, Hashable, Sendable, Codable, CaseIterable {
  case production, sandbox, all

  public func contains(_ environment: StoreEnvironment) -> Bool {
    switch self {
    case .production: environment == .production
    case .sandbox: environment == .sandbox
    case .all: true
    }
  }
}

/// A stretch of days up to the as-of instant: `(from, to]`.
public struct Window: Hashable, Sendable, Encodable {
  public var days: Int
  public var from: Instant
  public var to: Instant

  public init(days: Int, upTo t: Instant) {
    self.days = days
    from = t - Int64(days) * Milliseconds.day
    to = t
  }

  public func contains(_ instant: Instant) -> Bool { instant > from && instant <= to }

  enum CodingKeys: String, CodingKey {
    case days
    case from = "from_ms"
    case to = "to_ms"
  }
}

/// What a panel is asked: everything that its figures depend on, besides the store.
public struct Question: Hashable, Sendable {
  public var panel: Panel
  /// The as-of instant.
  public var at: Instant
  public var windowDays: Int
  public var environment: EnvironmentScope
  /// Empty means every product. A line is of its current row's product, a transaction of its own.
  public var products: Set<ProductID>
  /// How many rows a list holds at the most; counts and sums are of all.
  public var limit: Int
  /// Judges by what had been observed by `at`, instead of by everything known today.
  public var asKnownThen = false

  public init(
    panel: Panel, at: Instant, windowDays: Int = 28, environment: EnvironmentScope = .production,
    products: Set<ProductID> = [], limit: Int = 1000
  ) {
    self.panel = panel
    self.at = at
    self.windowDays = windowDays
    self.environment = environment
    self.products = products
    self.limit = limit
  }

  public var window: Window { Window(days: windowDays, upTo: at) }
  public func includes(_ product: ProductID) -> Bool { products.isEmpty || products.contains(product) }
}

/// One panel's figures with what they stand on.
public struct Report: Hashable, Sendable, Encodable {
  public struct Scope: Hashable, Sendable, Encodable {
    public var environment: EnvironmentScope
    public var ownership: String
  }

  public var report: Panel
  public var asOfMs: Instant
  public var window: Window
  public var scope: Scope
  public var trust: Trust
  public var data: Figures

  public init(answering question: Question, trust: Trust, data: Figures) {
    report = question.panel
    asOfMs = question.at
    window = question.window
    scope = Scope(environment: question.environment, ownership: OwnershipType.purchased.rawValue)
    self.trust = trust
    self.data = data
  }
}

/// How far the figures of a report can be trusted.
public struct Trust: Hashable, Sendable, Encodable {
  public var receipts = 0
  /// Lines in scope.
  public var lines = 0
  /// METRICS §4, Freshness: 0 to 1; nil where no line is active.
  @ExplicitNull public var fresh24h: Double?
  /// Lines whose expiry has passed without a validation since.
  public var overdue = 0
  /// Auto-renewable transactions in scope without a price in the catalogue.
  public var unpricedTransactions = 0
  /// Sandbox lines left out.
  public var excludedSandbox = 0
  /// Family-shared lines left out.
  public var excludedFamilyShared = 0

  public init() {}

  enum CodingKeys: String, CodingKey {
    case receipts, lines
    case fresh24h = "fresh_24h"
    case overdue, unpricedTransactions, excludedSandbox, excludedFamilyShared
  }
}

/// The figures of each panel.
public enum Figures: Hashable, Sendable {
  case overview(OverviewFigures)
  case active(ActiveFigures)
  case billingRetry(BillingRetryFigures)
  case churn(ChurnFigures)
  case refunds(RefundFigures)
  case upgrades(UpgradeFigures)
  case events(EventFigures)
}

extension Figures: Encodable {
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .overview(let figures): try figures.encode(to: encoder)
    case .active(let figures): try figures.encode(to: encoder)
    case .billingRetry(let figures): try figures.encode(to: encoder)
    case .churn(let figures): try figures.encode(to: encoder)
    case .refunds(let figures): try figures.encode(to: encoder)
    case .upgrades(let figures): try figures.encode(to: encoder)
    case .events(let figures): try figures.encode(to: encoder)
    }
  }
}
