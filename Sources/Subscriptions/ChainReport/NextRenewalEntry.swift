/// What Apple signed of the renewal that follows the current row, apart from what receipts tell of it as well (`RenewalEntry`).
public struct NextRenewalEntry: Hashable, Sendable, Encodable {
  /// Product of the renewal, if Apple has already signed its transaction.
  @ExplicitNull public var productId: ProductID? = nil
  public var renewalDateMs: Instant
  public var signedAtMs: Instant
  /// Of the product that comes, an offer's discount included.
  @ExplicitNull public var priceMicros: Int64?
  @ExplicitNull public var currency: CurrencyCode?
  @ExplicitNull public var recentSubscriptionStartMs: Instant?
  /// Apple's best first.
  public var eligibleWinBackOfferIds: [String]
  @ExplicitNull public var billingPlanType: String?
  @ExplicitNull public var commitment: Commitment?

  /// How a commitment goes on after its last month.
  public struct Commitment: Hashable, Sendable, Encodable {
    @ExplicitNull public var autoRenewProductId: ProductID?
    @ExplicitNull public var autoRenewStatus: Bool?
    @ExplicitNull public var billingPlanType: String?
    @ExplicitNull public var renewalDateMs: Instant?
    @ExplicitNull public var priceMicros: Int64?
  }
}

extension NextRenewalEntry {
  /// - Returns: `nil` if Apple signed nothing of the renewal.
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
