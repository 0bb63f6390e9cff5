/// Signed information about the renewal after the current row.
public struct NextRenewalEntry: Hashable, Sendable, Encodable {
  /// Product of the renewal, if Apple has already signed its transaction.
  @ExplicitNull public var productId: ProductID? = nil
  public var renewalDateMs: Instant
  public var signedAtMs: Instant
  /// Price of the next product, with the discount of an offer.
  @ExplicitNull public var priceMicros: Int64?
  @ExplicitNull public var currency: CurrencyCode?
  @ExplicitNull public var recentSubscriptionStartMs: Instant?
  public var eligibleWinBackOfferIds: [String]
  @ExplicitNull public var billingPlanType: String?
  @ExplicitNull public var commitment: Commitment?

  /// Renewal of a commitment after its last month.
  public struct Commitment: Hashable, Sendable, Encodable {
    @ExplicitNull public var autoRenewProductId: ProductID?
    @ExplicitNull public var autoRenewStatus: Bool?
    @ExplicitNull public var billingPlanType: String?
    @ExplicitNull public var renewalDateMs: Instant?
    @ExplicitNull public var priceMicros: Int64?
  }
}

extension NextRenewalEntry {
  init?(after row: Row, at t: Instant) {
    let signed = row.signedRenewal.flatMap { $0.begins > t ? $0 : nil }
    guard
      let terms = row.renewalTerms
        ?? signed.map({ renewal in
          RenewalTerms(
            originalTransactionID: row.transaction.originalTransactionID, productID: row.productID,
            renewalDate: renewal.begins, signedAt: renewal.signedAt)
        })
    else { return nil }
    self.init(terms)
    guard let signed else { return }
    (productId, renewalDateMs, signedAtMs) = (signed.productID, signed.begins, signed.signedAt)
    if let price = signed.price { (priceMicros, currency) = (price.single, price.currency) }
  }

  private init(_ terms: RenewalTerms) {
    renewalDateMs = terms.renewalDate
    signedAtMs = terms.signedAt
    (priceMicros, currency) = (terms.price?.amount.single, terms.price?.amount.currency)
    recentSubscriptionStartMs = terms.recentSubscriptionStart
    eligibleWinBackOfferIds = terms.winBackOfferIDs
    billingPlanType = terms.billingPlan
    commitment = terms.commitment.map { told in
      Commitment(
        autoRenewProductId: told.autoRenewProductID, autoRenewStatus: told.autoRenewStatus,
        billingPlanType: told.billingPlan, renewalDateMs: told.date, priceMicros: told.priceMicros)
    }
  }
}
