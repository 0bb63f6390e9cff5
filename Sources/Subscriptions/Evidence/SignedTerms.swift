/// Apple's *App Store Server API › JWSTransactionDecodedPayload*, without the fields that receipts have too.
public struct SignedTerms: Hashable, Sendable {
  /// Time of the newest signature.
  public var signedAt: Instant
  /// Price of the whole quantity, after an offer's discount.
  public var price: Money?
  public var pricedAt: Instant?
  /// Instant at which a price was first signed.
  public var pricedSince: Instant?
  public var storefront: StorefrontCode?
  /// `PURCHASE` or `RENEWAL`.
  public var reason: String?
  /// Kind of offer: 1 introductory, 2 promotional, 3 offer code, 4 win-back.
  public var offerType: Int64?
  /// `FREE_TRIAL`, `PAY_AS_YOU_GO` and others; missing in signatures before October 2023.
  public var offerDiscountType: String?
  /// Duration of the offer in ISO 8601.
  public var offerPeriod: String?
  /// Identifier of a win-back offer, empty if Apple sent none; `nil` for other offers.
  public var winBackOfferID: String?
  /// `BILLED_UPFRONT`, or `MONTHLY` for a month of a yearly commitment.
  public var billingPlan: String?
  /// Identifier of an Apple Account in an app, which connects the customer's chains.
  public var appTransactionID: String?
  /// One revocation per date, the newest last; a reversed refund may be issued again for another share.
  public var revocations: [Revocation] = []
  public var commitment: Commitment?

  /// Refund or revocation as signed by Apple.
  public struct Revocation: Hashable, Sendable {
    public var date: Instant
    public var signedAt: Instant
    /// `REFUND_FULL`, `REFUND_PRORATED`, `FAMILY_REVOKE` and others.
    public var type: String?
    /// Refunded share in thousandths of a percent; 100,000 or `nil` for a full refund.
    public var percentage: Int64?

    public init(date: Instant, signedAt: Instant, type: String?, percentage: Int64?) {
      (self.date, self.signedAt, self.type, self.percentage) = (date, signedAt, type, percentage)
    }
  }

  public init(signedAt: Instant) { self.signedAt = signedAt }

  public var revocation: Revocation? { revocations.last }

  public mutating func add(_ revocation: Revocation) {
    if let place = revocations.firstIndex(where: { $0.date == revocation.date }) {
      guard revocations[place].order < revocation.order else { return }
      revocations.remove(at: place)
    }
    revocations.insert(revocation, at: revocations.placeAfter { $0.order < revocation.order })
  }

  /// Returns the terms merged from two signatures of one transaction: the newer price and commitment, the
  /// earlier `pricedSince`, all revocations, and the greater value of every other field.
  public func adding(_ other: SignedTerms) -> SignedTerms {
    func greater<Value: Comparable>(_ mine: Value?, _ theirs: Value?) -> Value? {
      [mine, theirs].compactMap(\.self).max()
    }
    var sum = self
    sum.signedAt = max(signedAt, other.signedAt)
    if priceOrder < other.priceOrder { (sum.price, sum.pricedAt) = (other.price, other.pricedAt) }
    sum.pricedSince = [pricedSince, other.pricedSince].compactMap(\.self).min()
    sum.storefront = greater(storefront, other.storefront)
    sum.reason = greater(reason, other.reason)
    sum.offerType = greater(offerType, other.offerType)
    sum.offerDiscountType = greater(offerDiscountType, other.offerDiscountType)
    sum.offerPeriod = greater(offerPeriod, other.offerPeriod)
    sum.winBackOfferID = greater(winBackOfferID, other.winBackOfferID)
    sum.billingPlan = greater(billingPlan, other.billingPlan)
    sum.appTransactionID = greater(appTransactionID, other.appTransactionID)
    for theirs in other.revocations { sum.add(theirs) }
    if let theirs = other.commitment, commitment.map({ $0.order < theirs.order }) ?? true {
      sum.commitment = theirs
    }
    return sum
  }

  /// Returns the part of a price refunded at `cancelled`; `nil` if not partial (METRICS §5, Refunds issued).
  public func partialRefund(of price: Money, cancelled: Instant?) -> Money? {
    let percentage = revocations.last { $0.date == cancelled }?.percentage
    guard let percentage, percentage < 100_000 else { return nil }
    let micros = roundedHalfToEven(price.micros * Int128(percentage), over: 100_000)
    return Money(micros: micros, currency: price.currency)
  }

  /// Whether the terms are equal except for their times of signature.
  public func isEquivalent(to other: SignedTerms) -> Bool { undated == other.undated }

  private var undated: SignedTerms {
    var terms = self
    terms.signedAt = .distantPast
    (terms.pricedAt, terms.pricedSince) = (nil, nil)
    for place in terms.revocations.indices { terms.revocations[place].signedAt = .distantPast }
    terms.revocations.sort { $0.order < $1.order }
    terms.commitment?.signedAt = .distantPast
    return terms
  }

  /// Returns the terms without a price first signed after `t`, and without later revocations and commitments.
  public func known(at t: Instant) -> SignedTerms {
    var known = self
    if pricedSince.map({ $0 > t }) ?? false {
      (known.price, known.pricedAt, known.pricedSince) = (nil, nil, nil)
    }
    known.revocations.removeAll { $0.signedAt > t }
    if commitment.map({ $0.signedAt > t }) ?? false { known.commitment = nil }
    return known
  }

  private var priceOrder: (Instant, Int128, String) {
    (pricedAt ?? .distantPast, price?.micros ?? 0, price?.currency.rawValue ?? "")
  }
}

extension SignedTerms.Revocation {
  fileprivate var order: (Instant, Instant, Int64, String) {
    (signedAt, date, percentage ?? .max, type ?? "")
  }
}

/// Month of a yearly commitment that is billed monthly: *App Store Server API › commitmentInfo*.
public struct Commitment: Hashable, Sendable, Encodable {
  public var signedAt: Instant
  /// Month of the commitment, from 1.
  @ExplicitNull public var billingPeriodNumber: Int64?
  @ExplicitNull public var totalBillingPeriods: Int64?
  /// End of the commitment, which changes if a bill is paid late.
  @ExplicitNull public var expires: Instant?
  /// Price of the whole commitment, in micros.
  @ExplicitNull public var priceMicros: Int64?

  private enum CodingKeys: String, CodingKey {
    case billingPeriodNumber, totalBillingPeriods
    case expires = "expiresMs"
    case priceMicros
  }

  public init(
    signedAt: Instant, billingPeriodNumber: Int64?, totalBillingPeriods: Int64?, expires: Instant?,
    priceMicros: Int64?
  ) {
    self.signedAt = signedAt
    (self.billingPeriodNumber, self.totalBillingPeriods) = (billingPeriodNumber, totalBillingPeriods)
    (self.expires, self.priceMicros) = (expires, priceMicros)
  }

  /// Sort key: a newer signature is greater; the other fields decide between signatures of the same time.
  var order: (Instant, Int64, Int64, Instant, Int64) {
    (signedAt, billingPeriodNumber ?? 0, totalBillingPeriods ?? 0, expires ?? .distantPast, priceMicros ?? 0)
  }
}

/// Renewal of a commitment after its last month.
public struct CommitmentRenewal: Hashable, Sendable, Encodable {
  @ExplicitNull public var autoRenewProductID: ProductID?
  @ExplicitNull public var autoRenewStatus: Bool?
  @ExplicitNull public var billingPlan: String?
  @ExplicitNull public var date: Instant?
  @ExplicitNull public var priceMicros: Int64?

  private enum CodingKeys: String, CodingKey {
    case autoRenewProductID = "autoRenewProductId"
    case autoRenewStatus
    case billingPlan = "billingPlanType"
    case date = "renewalDateMs"
    case priceMicros
  }

  public init(
    autoRenewProductID: ProductID?, autoRenewStatus: Bool?, billingPlan: String?, date: Instant?,
    priceMicros: Int64?
  ) {
    (self.autoRenewProductID, self.autoRenewStatus) = (autoRenewProductID, autoRenewStatus)
    (self.billingPlan, self.date, self.priceMicros) = (billingPlan, date, priceMicros)
  }
}
