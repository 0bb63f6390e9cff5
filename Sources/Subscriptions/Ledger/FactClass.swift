/// What figures tell facts apart by.
public struct FactClass: Hashable, Sendable {
  private struct Fields: Hashable, Sendable {
    var kind: FactKind
    var environment: StoreEnvironment
    var product: ProductID
    var currency: CurrencyCode?
    var storefront: StorefrontCode?
  }

  private let fields: HashedOnce<Fields>

  /// - Parameters:
  ///   - currency: of the amount; nil where there is none.
  ///   - storefront: of what was bought; nil of everything else.
  public init(
    _ kind: FactKind, _ environment: StoreEnvironment, product: ProductID = ProductID(""),
    currency: CurrencyCode? = nil, storefront: StorefrontCode? = nil
  ) {
    fields = HashedOnce(
      Fields(
        kind: kind, environment: environment, product: product, currency: currency, storefront: storefront))
  }

  public var kind: FactKind { fields.value.kind }
  public var family: FactFamily { kind.family }
  public var environment: StoreEnvironment { fields.value.environment }
  public var product: ProductID { fields.value.product }
  public var currency: CurrencyCode? { fields.value.currency }
  public var storefront: StorefrontCode? { fields.value.storefront }

  /// The same of another kind.
  public func with(_ kind: FactKind) -> FactClass {
    FactClass(kind, environment, product: product, currency: currency, storefront: storefront)
  }
}

/// What happened, with everything that decides which figures count it.
public enum FactKind: Hashable, Sendable {
  /// A line with access whose receipt was validated in the 24 hours before. Added where that begins and taken off where it ends, so
  /// that the sum of everything up to an instant is what stands at that instant.
  case fresh
  /// A family-shared line, when it begins.
  case shared
  /// A row without a price, when it is bought.
  case unpriced
  /// A row, when it is bought.
  case bought(Bought)
  /// A change of product at a renewal, when the new row is bought.
  case change(ChangeDirection)
  /// A row upgraded away that nothing dates, when it is bought.
  case undated
  /// A paid row, when it comes due; nil is an unknown period.
  case due(PeriodResult, Period?)
  /// A trial, when it ends.
  case trialEnd(PeriodOutcome)
  /// A refund, when it is issued, with Apple's reason; the amount is what was paid.
  case refund(reason: String?)
  /// The same of a purchase that does not renew.
  case oneTimeRefund
  /// A row, when it is upgraded away; the amount is what Apple gave back.
  case upgrade(ChangeDirection, isConfirmed: Bool)
  /// An event of the feed, when it takes effect, with the product that it leads to where that is another one.
  case event(newProduct: ProductID?)
  /// A line whose period ends soon: added and taken off as fresh ones are; the amount is what its renewal would cost.
  case comingDue(DueHorizon, isRenewing: Bool)
  /// A line that came to billing retry, when it did; the amount is what it costs a month.
  case retry(Retry)
  /// A row at another price than the standard one, when it is bought; the amount is what the offer left of that.
  case offer(OfferUse)
  /// What its line bought afterwards, by the same date: the amount is its price.
  case offerRevenue(OfferUse)
  /// A line of which auto-renew is turned off. This and what follows are the kinds of episodes that are not added up by themselves.
  case optOut
  /// A line with auto-renew off, in the last week of its period; the amount is what it costs a month.
  case endingSoon
  /// A line of which a consent to a higher price is asked for.
  case consent
  /// The same, for as long as it has not been given.
  case pendingConsent

  /// METRICS §5, Recovery: a line that came to billing retry.
  public struct Retry: Hashable, Sendable {
    /// Whether the row that Apple tries to bill is a trial's.
    public var isTrial: Bool
    /// Whether the line was in grace just before.
    public var hadGrace: Bool
    public var back: Back

    public init(isTrial: Bool, hadGrace: Bool, back: Back) {
      (self.isTrial, self.hadGrace, self.back) = (isTrial, hadGrace, back)
    }

    /// When it was paid again.
    public enum Back: Hashable, Sendable {
      case never
      /// No later than so many days afterwards, the fewest of `Recovery.days`.
      case within(days: Int)
      case later
    }
  }

  /// METRICS §5, Offers.
  public struct OfferUse: Hashable, Sendable {
    public var kind: PeriodKind
    /// Nil where Apple told none.
    public var offer: String?
    public var next: Next
    /// Whether the cost or something that was bought later has no price.
    public var isUnpriced: Bool

    public init(kind: PeriodKind, offer: String?, next: Next, isUnpriced: Bool) {
      (self.kind, self.offer, self.next, self.isUnpriced) = (kind, offer, next, isUnpriced)
    }

    /// The paid row that follows.
    public enum Next: String, Sendable { case standard, offer, none }
  }

  /// What figures ask of a row that was bought.
  public struct Bought: Hashable, Sendable {
    public var isPaid: Bool
    public var arrival: Arrival
    public var isPastFirstYear: Bool
    public var isRefunded: Bool
    /// In the currency of the class; nil is unpriced.
    public var priceMicros: Int64?
    /// Whether Apple signed the price; else the catalogue says it.
    public var isPriceSigned: Bool
    public var app: BundleID?

    public init(
      isPaid: Bool, arrival: Arrival, isPastFirstYear: Bool, isRefunded: Bool, priceMicros: Int64?,
      isPriceSigned: Bool = false, app: BundleID?
    ) {
      self.isPaid = isPaid
      self.arrival = arrival
      self.isPastFirstYear = isPastFirstYear
      self.isRefunded = isRefunded
      self.priceMicros = priceMicros
      self.isPriceSigned = isPriceSigned
      self.app = app
    }
  }
}

/// METRICS §5, Renewals: what became of a period that came due.
public enum PeriodResult: String, Hashable, Sendable {
  case renewed, recovered, lost
  /// At the end of a window: it may yet be paid for.
  case pending
}

/// Facts are read a family at a time.
public enum FactFamily: Int, Hashable, Sendable, CaseIterable {
  case fresh = 1
  case shared, unpriced, bought, change, undated, due, trialEnd, refund, oneTimeRefund, upgrade, event
  case dueInADay, dueInAWeek
  /// Episodes, of which those of billing retry and of offers are added up.
  case retry = 20
  case offer, optOut, endingSoon, consent, pendingConsent
  case offerRevenue

  public init(_ horizon: DueHorizon) {
    switch horizon {
    case .day: self = .dueInADay
    case .week: self = .dueInAWeek
    }
  }

  /// Nil of families that do not come due.
  public var horizon: DueHorizon? { DueHorizon.allCases.first { FactFamily($0) == self } }
}

/// METRICS §5, Due: how far ahead is looked.
public enum DueHorizon: Int, Hashable, Sendable, CaseIterable {
  case day = 1
  case week = 7

  public var days: Int { rawValue }
  public var milliseconds: Int64 { Int64(rawValue) * Milliseconds.day }
  /// Path of its figures.
  var path: String { "due.\(rawValue)" }
}

extension FactKind {
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

extension Question {
  public func includes(_ kind: FactClass) -> Bool {
    guard environment.contains(kind.environment) else { return false }
    if case .event(let newProduct?) = kind.kind, includes(newProduct) { return true }
    return includes(kind.product, kind.storefront)
  }
}
