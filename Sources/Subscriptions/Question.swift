/// The panels that can be asked for, named as on the command line.
public enum Panel: String, Hashable, Sendable, Codable, CaseIterable {
  case overview, movement, active
  case billingRetry = "billing-retry"
  case recovery, churn, cohorts, offers, refunds, upgrades, events
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

/// Which storefronts' lines and purchases are counted.
public enum StorefrontScope: Hashable, Sendable {
  case all
  /// One, or what nobody told a storefront of.
  case only(StorefrontCode?)

  public func contains(_ storefront: StorefrontCode?) -> Bool {
    switch self {
    case .all: true
    case .only(let one): storefront == one
    }
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
  /// A line is of its current row's storefront, a purchase of its own. Nothing else that happens is told apart by it.
  public var storefronts = StorefrontScope.all
  /// Of cohorts alone: a line is of the offer that it was first paid by.
  public var offers = OfferScope.all
  /// By what a movement is told apart as well; nil is by nothing.
  public var split: MovementSplit?
  /// What of a movement is asked about, where not all of it is.
  public var part: MovementPart?
  /// How many rows a list holds at the most; counts and sums are of all.
  public var limit: Int
  /// Judges by what had been observed by `at`, instead of by everything known today.
  public var asKnownThen = false
  /// With `asKnownThen`, by what had been observed by this instant instead, which is not before `at`.
  public var knownAt: Instant?
  /// Whether `at` is compared with a later instant: what only answers of its time could have told is unknown then, at `at` as well.
  public var isLookingBack = false
  /// Decides Apple's share of what was sold.
  public var smallBusinessProgram = SmallBusinessProgram.none
  /// In which amounts are told as well; nil is none.
  public var reportingCurrency: CurrencyCode?

  public static let standardLimit = 1000
  /// Of a list on a screen, until somebody comes near its end.
  public static let screenLimit = 120

  public init(
    panel: Panel, at: Instant, windowDays: Int = 28, environment: EnvironmentScope = .production,
    products: Set<ProductID> = [], limit: Int = Question.standardLimit
  ) {
    self.panel = panel
    self.at = at
    self.windowDays = windowDays
    self.environment = environment
    self.products = products
    self.limit = limit
  }

  public var window: Window {
    let whole = Window(days: windowDays, upTo: at)
    return part?.window(within: whole) ?? whole
  }

  public func includes(_ product: ProductID) -> Bool { products.isEmpty || products.contains(product) }

  public func includes(_ product: ProductID, _ storefront: StorefrontCode?) -> Bool {
    includes(product) && storefronts.contains(storefront)
  }
}

extension Question {
  public func includes(_ origin: CohortOrigin) -> Bool {
    environment.contains(origin.environment) && includes(origin.product, origin.storefront)
      && offers.contains(origin.kind, origin.offer)
  }

  /// Whether it asks for cohorts whatever their lines were first paid as.
  public var isOfEveryOrigin: Bool { products.isEmpty && storefronts == .all && offers == .all }
}
