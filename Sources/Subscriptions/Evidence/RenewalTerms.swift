/// Apple's *App Store Server API › JWSRenewalInfoDecodedPayload*, about a chain's next renewal.
public struct RenewalTerms: Hashable, Sendable {
  public var originalTransactionID: OriginalTransactionID
  public var productID: ProductID
  /// End of the current period.
  public var renewalDate: Instant
  public var signedAt: Instant
  public var price: Price?
  /// Start of the current service, which has no gap of more than 60 days.
  public var recentSubscriptionStart: Instant?
  /// Win-back offers that the customer is eligible for, in Apple's order.
  public var winBackOfferIDs: [String] = []
  /// `BILLED_UPFRONT` or `MONTHLY`.
  public var billingPlan: String?
  public var commitment: CommitmentRenewal?

  public struct Price: Hashable, Sendable {
    /// Price after an offer's discount.
    public var amount: Money
    public var signedAt: Instant

    public init(amount: Money, signedAt: Instant) { (self.amount, self.signedAt) = (amount, signedAt) }

    fileprivate var order: (Instant, Int128, String) { (signedAt, amount.micros, amount.currency.rawValue) }
  }

  public init(
    originalTransactionID: OriginalTransactionID, productID: ProductID, renewalDate: Instant,
    signedAt: Instant, price: Money? = nil
  ) {
    (self.originalTransactionID, self.productID) = (originalTransactionID, productID)
    (self.renewalDate, self.signedAt) = (renewalDate, signedAt)
    self.price = price.map { Price(amount: $0, signedAt: signedAt) }
  }

  static func inOrder(_ left: Self, _ right: Self) -> Bool {
    (left.originalTransactionID, left.productID.rawValue, left.renewalDate)
      < (right.originalTransactionID, right.productID.rawValue, right.renewalDate)
  }

  /// Returns the newer of two signatures of one renewal, with the newest known price (METRICS §4).
  public func adding(_ other: RenewalTerms) -> RenewalTerms {
    var sum = order < other.order ? other : self
    sum.price = [price, other.price].compactMap(\.self).max { $0.order < $1.order }
    return sum
  }

  private var order: (Instant, UInt128) {
    var (hash, unpriced) = (StableHash(), self)
    unpriced.price = nil
    hash.add(unpriced)
    return (signedAt, hash.value)
  }
}

extension StableHash {
  mutating func add(_ terms: RenewalTerms) {
    for text in [
      terms.productID.rawValue, terms.price?.amount.currency.rawValue, terms.billingPlan,
      terms.commitment?.autoRenewProductID?.rawValue, terms.commitment?.billingPlan,
    ] + terms.winBackOfferIDs {
      add(text)
    }
    for instant in [terms.renewalDate, terms.recentSubscriptionStart, terms.commitment?.date] { add(instant) }
    for micros in [terms.price?.amount.single, terms.commitment?.priceMicros] { add(micros ?? -1) }
    add(terms.commitment?.autoRenewStatus)
  }
}
