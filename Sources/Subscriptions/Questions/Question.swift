/// Panel of the dashboard, and report of the command line with the same name.
public enum Panel: String, Hashable, Sendable, Codable, CaseIterable {
  case overview, movement, active
  case billingRetry = "billing-retry"
  case recovery, churn, cohorts, offers, refunds, upgrades, events
}

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

public enum StorefrontScope: Hashable, Sendable {
  case all
  /// One storefront; `nil` for rows without a known storefront.
  case only(StorefrontCode?)

  public func contains(_ storefront: StorefrontCode?) -> Bool {
    switch self {
    case .all: true
    case .only(let one): storefront == one
    }
  }
}

/// Query for the figures of a panel, with all parameters that they depend on.
public struct Question: Hashable, Sendable {
  public var panel: Panel
  public var at: Instant
  public var length: WindowLength
  public var environment: EnvironmentScope
  /// Products to include, empty for all; a line has the product of its current row, a transaction its own.
  public var products: Set<ProductID>
  /// Storefronts to include, by the storefront of a line's current row, of a purchase or of an episode.
  public var storefronts = StorefrontScope.all
  public var offers = OfferScope.all
  /// Whether figures add up an offer's uses of all kinds, as `offers.all.SPRING.started` does.
  var joinsOfferKinds = false
  public var split: MovementSplit?
  /// Part of the movement report that figures are restricted to; `nil` for all of it.
  public var part: MovementPart?
  /// Maximum number of rows in a list; counts and sums include all rows.
  public var limit: Int
  /// Whether to use only what had been observed by `knownAt`, instead of everything known.
  public var asKnownThen = false
  /// Latest instant of the evidence that is used if `asKnownThen` is true; `nil` means `at`.
  public var knownAt: Instant?
  /// Whether `at` is in the past but later evidence is used too (METRICS §4).
  ///
  /// Figures that need snapshots of that time may then be unknown.
  public var isLookingBack = false
  public var smallBusinessProgram = SmallBusinessProgram.none
  public var reportingCurrency: CurrencyCode?

  public static let standardLimit = 1000
  /// Limit of a list on a screen, until the user scrolls near its end.
  public static let screenLimit = 120

  public init(
    panel: Panel, at: Instant, windowDays: Int = 28, environment: EnvironmentScope = .production,
    products: Set<ProductID> = [], limit: Int = Question.standardLimit
  ) {
    (self.panel, self.at) = (panel, at)
    length = .days(windowDays)
    (self.environment, self.products, self.limit) = (environment, products, limit)
  }

  public var window: Window {
    let whole = Window(length, upTo: at)
    return part?.window(within: whole, in: length.zone) ?? whole
  }

  /// Question for the previous window: as many days, or the previous calendar period up to the same day.
  public var before: Question {
    var question = self
    question.at = length.end(at) ?? window.from
    return question
  }

  /// Moves the question to an earlier instant, using everything known at the original instant.
  mutating func lookBack(to earlier: Instant) {
    knownAt = knownAt ?? at
    at = earlier
    isLookingBack = true
  }

  public func includes(_ product: ProductID) -> Bool { products.isEmpty || products.contains(product) }

  public func includes(_ product: ProductID, _ storefront: StorefrontCode?) -> Bool {
    includes(product) && storefronts.contains(storefront)
  }

  public func includes(_ origin: CohortOrigin) -> Bool {
    environment.contains(origin.environment) && includes(origin.product, origin.storefront)
      && offers.contains(origin.kind, origin.offer)
  }
}

/// Stored id that is suggested for the text that a user types.
public struct IDSuggestion: Hashable, Sendable {
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Code or identifier of an offer, listed before other ids that match equally well.
    case offer
    case appUser = "app user"
    case originalTransaction = "original transaction"
    case transaction
    case order = "order line"
    case accountToken = "account token"
    case appTransaction = "app transaction"
  }

  public var kind: Kind
  public var id: String

  public init(_ kind: Kind, _ id: String) { (self.kind, self.id) = (kind, id) }
}

/// Suggested ids, the best match first.
public struct IDSuggestions: Hashable, Sendable {
  public var found: [IDSuggestion]
  /// Whether the search ran to its end; `false` if its time limit or a newer search stopped it.
  public var isComplete: Bool

  public init(_ found: [IDSuggestion] = [], isComplete: Bool = true) {
    (self.found, self.isComplete) = (found, isComplete)
  }
}
