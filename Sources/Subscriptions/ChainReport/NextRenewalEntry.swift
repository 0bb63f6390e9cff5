/// What Apple signed of the renewal that follows the current row, apart from what receipts tell of it as well (`RenewalEntry`).
public struct NextRenewalEntry: Hashable, Sendable, Encodable {
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
  init(_ terms: RenewalTerms) {
    renewalDateMs = terms.renewalDate
    signedAtMs = terms.signedAt
    (priceMicros, currency) = (terms.price?.amount.micros, terms.price?.amount.currency)
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
