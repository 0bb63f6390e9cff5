/// What Apple signs with a transaction and no receipt ever told: *App Store Server API › JWSTransactionDecodedPayload*.
public struct SignedTerms: Hashable, Sendable {
  /// Apple's clock at the newest signature.
  public var signedAt: Instant
  /// What the customer paid for all of the quantity, after an offer's discount; nil where Apple told none.
  public var price: Money?
  /// When the price was signed last; nil where there is none.
  public var pricedAt: Instant?
  /// When any was signed first; nil where there is none.
  public var pricedSince: Instant?
  /// Never to be guessed from the currency.
  public var storefront: StorefrontCode?
  /// `PURCHASE` or `RENEWAL`.
  public var reason: String?
  /// 1 introductory, 2 promotional, 3 offer code, 4 win-back.
  public var offerType: Int64?
  /// `FREE_TRIAL`, `PAY_AS_YOU_GO` and others; absent from what was signed before October 2023.
  public var offerDiscountType: String?
  /// How long the offer lasts, ISO 8601.
  public var offerPeriod: String?
  /// Of an offer to somebody who had left; empty where it has no name.
  public var winBackOfferID: String?
  /// `BILLED_UPFRONT` or `MONTHLY`, which is a month of a commitment of twelve.
  public var billingPlan: String?
  /// One for each Apple Account and app, so that it joins the chains of one customer.
  public var appTransactionID: String?
  /// One for each date that Apple gave, the newest word last: a refund that was taken back may be given anew, in another part.
  public var revocations: [Revocation] = []
  public var commitment: Commitment?

  /// How a transaction was taken back.
  public struct Revocation: Hashable, Sendable {
    /// The transaction's `revocationDate`: of another one it says nothing.
    public var date: Instant
    public var signedAt: Instant
    /// `REFUND_FULL`, `REFUND_PRORATED`, `FAMILY_REVOKE` and others.
    public var type: String?
    /// How much was refunded, in thousandths of a percent; nil is all.
    public var percentage: Int64?

    public init(date: Instant, signedAt: Instant, type: String?, percentage: Int64?) {
      (self.date, self.signedAt, self.type, self.percentage) = (date, signedAt, type, percentage)
    }
  }

  public init(signedAt: Instant) { self.signedAt = signedAt }

  /// The newest word.
  public var revocation: Revocation? { revocations.last }

  /// Adds what Apple said of how the transaction was taken back; of one date the newest word counts.
  public mutating func add(_ revocation: Revocation) {
    if let place = revocations.firstIndex(where: { $0.date == revocation.date }) {
      guard revocations[place].order < revocation.order else { return }
      revocations.remove(at: place)
    }
    revocations.insert(revocation, at: revocations.placeAfter { $0.order < revocation.order })
  }
}

extension SignedTerms {
  /// What two signatures of one transaction say together, whichever came first: the newer word wins, and what it leaves out was not
  /// taken back (METRICS §4).
  public func adding(_ other: SignedTerms) -> SignedTerms {
    func newer<Value: Comparable>(_ mine: Value?, _ theirs: Value?) -> Value? {
      [mine, theirs].compactMap(\.self).max()
    }
    var sum = self
    sum.signedAt = max(signedAt, other.signedAt)
    if priceOrder < other.priceOrder { (sum.price, sum.pricedAt) = (other.price, other.pricedAt) }
    sum.pricedSince = [pricedSince, other.pricedSince].compactMap(\.self).min()
    sum.storefront = newer(storefront, other.storefront)
    sum.reason = newer(reason, other.reason)
    sum.offerType = newer(offerType, other.offerType)
    sum.offerDiscountType = newer(offerDiscountType, other.offerDiscountType)
    sum.offerPeriod = newer(offerPeriod, other.offerPeriod)
    sum.winBackOfferID = newer(winBackOfferID, other.winBackOfferID)
    sum.billingPlan = newer(billingPlan, other.billingPlan)
    sum.appTransactionID = newer(appTransactionID, other.appTransactionID)
    for theirs in other.revocations { sum.add(theirs) }
    if let theirs = other.commitment, commitment.map({ $0.order < theirs.order }) ?? true {
      sum.commitment = theirs
    }
    return sum
  }

  /// What of a price was given back, where Apple tells that it was not all of it: METRICS §5, Refunds issued.
  ///
  /// - Parameter cancelled: the transaction's cancellation date.
  public func partialRefund(of price: Money, cancelled: Instant?) -> Money? {
    let percentage = revocations.last { $0.date == cancelled }?.percentage
    guard let percentage, percentage < 100_000 else { return nil }
    let micros = roundedHalfToEven(price.micros * Int128(percentage), over: 100_000)
    return Money(micros: micros, currency: price.currency)
  }

  /// Whether both say one thing, whenever each was signed.
  public func says(theSameAs other: SignedTerms) -> Bool { undated == other.undated }

  private var undated: SignedTerms {
    var terms = self
    terms.signedAt = .distantPast
    (terms.pricedAt, terms.pricedSince) = (nil, nil)
    for place in terms.revocations.indices { terms.revocations[place].signedAt = .distantPast }
    terms.revocations.sort { $0.order < $1.order }
    terms.commitment?.signedAt = .distantPast
    return terms
  }

  /// What of it had been signed by an instant.
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
