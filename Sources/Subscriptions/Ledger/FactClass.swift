/// Class of a fact: the attributes that figures distinguish.
public typealias FactClass = HashedOnce<FactFields>

public struct FactFields: Hashable, Sendable {
  public let kind: FactKind
  public let environment: StoreEnvironment
  public let product: ProductID
  public let currency: CurrencyCode?
  /// Storefront of a purchase or an episode; `nil` if unknown, and for other facts.
  public let storefront: StorefrontCode?
}

extension FactClass {
  public init(
    _ kind: FactKind, _ environment: StoreEnvironment, product: ProductID = ProductID(""),
    currency: CurrencyCode? = nil, storefront: StorefrontCode? = nil
  ) {
    self.init(
      FactFields(
        kind: kind, environment: environment, product: product, currency: currency, storefront: storefront))
  }

  public var family: FactFamily { self.kind.family }

  public func with(_ kind: FactKind, in currency: CurrencyCode? = nil) -> FactClass {
    FactClass(
      kind, self.environment, product: self.product, currency: currency ?? self.currency,
      storefront: self.storefront)
  }
}

/// Kind of a fact or an episode, with the attributes that decide which figures count it.
public enum FactKind: Hashable, Sendable, Codable {
  /// Line with access that was validated in the last 24 hours.
  ///
  /// One fact adds the line and a later one subtracts it, so the sum up to an instant is the balance then.
  case fresh
  /// First purchase of a family-shared line.
  case shared
  case unpriced
  case bought(Bought)
  /// Change of product at a renewal, dated by the purchase of the new row.
  case change(ChangeDirection)
  /// Upgrade at an unknown instant, dated by the purchase of the upgraded row.
  case undated
  /// Paid row that came due, dated by its expiry; the period is `nil` if unknown.
  case due(PeriodResult, Period?)
  case trialEnd(PeriodOutcome)
  /// Refund with Apple's reason; the amount is the refunded part of the price.
  case refund(reason: String?)
  case oneTimeRefund
  /// Upgrade of a row; the amount is the prorated refund.
  case upgrade(ChangeDirection, isConfirmed: Bool)
  /// Event of the feed, with its new product if the product changed.
  case event(newProduct: ProductID?)
  /// Line whose period ends within the horizon, counted like `fresh`; the amount is the expected charge.
  case comingDue(DueHorizon, isRenewing: Bool)
  /// Entry of a line into billing retry; the amount is the monthly price.
  case retry(Retry)
  /// Purchase with an offer; the amount is its cost, which is the standard price minus the paid price.
  case offer(OfferUse)
  /// Purchases after an offer, dated like the offer; the amount is the sum of their prices.
  case offerRevenue(OfferUse)
  /// Auto-renew turned off; ledgers sum neither this kind nor `endingSoon`, `consent` and `pendingConsent`.
  case optOut
  /// Line with auto-renew off in the last week of its period; the amount is its monthly price.
  case endingSoon
  /// Request for consent to a higher price.
  case consent
  case pendingConsent

  /// Entry of a line into billing retry (METRICS §5, Recovery).
  public struct Retry: Hashable, Sendable, Codable {
    /// Whether the expired row is a trial.
    public var isTrial: Bool
    public var hadGrace: Bool
    public var back: Back

    public init(isTrial: Bool, hadGrace: Bool, back: Back) {
      (self.isTrial, self.hadGrace, self.back) = (isTrial, hadGrace, back)
    }

    /// Time until the line was paid again.
    public enum Back: Hashable, Sendable, Codable {
      case never
      /// Paid within this many days, rounded up to a value of `Recovery.days`.
      case within(days: Int)
      case later
    }
  }

  /// Use of an offer (METRICS §5, Offers).
  public struct OfferUse: Hashable, Sendable, Codable {
    public var kind: PeriodKind
    /// Identifier of the offer; `nil` if Apple sent none.
    public var offer: String?
    public var next: Next
    /// Whether the cost is unknown, or a later purchase has no price.
    public var isUnpriced: Bool

    /// Next paid row of the line: at the standard price, with an offer, or none.
    public enum Next: String, Sendable, Codable { case standard, offer, none }
  }

  /// Properties of a purchase that figures distinguish.
  public struct Bought: Hashable, Sendable, Codable {
    public var isPaid: Bool
    public var arrival: Arrival
    public var isPastFirstYear: Bool
    public var isRefunded: Bool
    /// Price in micros of the class's currency; `nil` if unpriced.
    public var priceMicros: Int64?
    /// Whether Apple signed the price; otherwise it comes from the catalog.
    public var isPriceSigned = false
    public var app: BundleID?
  }

  public var family: FactFamily {
    switch self {
    case .fresh: .fresh
    case .shared: .shared
    case .unpriced: .unpriced
    case .bought: .bought
    case .change: .change
    case .undated: .undated
    case .due: .due
    case .trialEnd: .trialEnd
    case .refund: .refund
    case .oneTimeRefund: .oneTimeRefund
    case .upgrade: .upgrade
    case .event: .event
    case .comingDue(let horizon, _): FactFamily(horizon)
    case .retry: .retry
    case .offer: .offer
    case .offerRevenue: .offerRevenue
    case .optOut: .optOut
    case .endingSoon: .endingSoon
    case .consent: .consent
    case .pendingConsent: .pendingConsent
    }
  }
}

/// Outcome of a period that came due (METRICS §5, Renewals).
public enum PeriodResult: String, Hashable, Sendable, Codable {
  case renewed, recovered, lost
  /// Not renewed, but may still be paid for at the window's end; stored facts have `lost` instead.
  case pending
}

/// Group of fact kinds that a ledger reads together.
public enum FactFamily: Int, Hashable, Sendable, CaseIterable {
  case fresh = 1
  case shared, unpriced, bought, change, undated, due, trialEnd, refund, oneTimeRefund, upgrade, event
  case dueInADay, dueInAWeek, dueInAMonth
  /// First family of episodes; of these, ledgers keep sums only of billing retry and offers.
  case retry = 20
  case offer, optOut, endingSoon, consent, pendingConsent
  case offerRevenue

  public init(_ horizon: DueHorizon) {
    switch horizon {
    case .day: self = .dueInADay
    case .week: self = .dueInAWeek
    case .month: self = .dueInAMonth
    }
  }

  public var horizon: DueHorizon? { DueHorizon.allCases.first { FactFamily($0) == self } }

  public static let ofEpisodes: [FactFamily] = [
    .retry, .offer, .optOut, .endingSoon, .consent, .pendingConsent,
  ]
}

/// Time range of upcoming renewals (METRICS §5, Due).
public enum DueHorizon: Int, Hashable, Sendable, CaseIterable, Codable {
  case day = 1
  case week = 7
  case month = 30

  public var days: Int { rawValue }
  public var milliseconds: Int64 { Int64(rawValue) * Milliseconds.day }
  var path: String { "due.\(rawValue)" }

  /// Returns the horizon in the path of an upcoming-renewal figure; `nil` for other figures.
  public static func of(_ path: String?) -> DueHorizon? {
    allCases.first { path?.hasPrefix("\($0.path).") == true }
  }
}

extension Question {
  public func includes(_ kind: FactClass) -> Bool {
    guard environment.contains(kind.environment) else { return false }
    if case .event(let newProduct?) = kind.kind, includes(newProduct) { return true }
    return includes(kind.product, kind.storefront)
  }
}
