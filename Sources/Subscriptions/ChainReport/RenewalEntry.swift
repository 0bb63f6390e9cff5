/// `pending_renewal_info` of the chain, and the interval in which it first appeared.
public struct RenewalEntry: Hashable, Sendable, Encodable {
  @ExplicitNull public var observedAfterMs: Instant? = nil
  public var observedAtMs: Instant
  /// Last validation that contained it.
  public var lastObservedAtMs: Instant
  @ExplicitNull public var originalTransactionId: OriginalTransactionID?
  @ExplicitNull public var productId: ProductID? = nil
  @ExplicitNull public var autoRenewProductId: ProductID? = nil
  @ExplicitNull public var autoRenewStatus: Bool? = nil
  @ExplicitNull public var expirationIntent: String? = nil
  @ExplicitNull public var isInBillingRetryPeriod: Bool? = nil
  @ExplicitNull public var gracePeriodExpiresDateMs: Instant? = nil
  @ExplicitNull public var priceConsentStatus: String? = nil
  @ExplicitNull public var priceIncreaseStatus: String? = nil
  @ExplicitNull public var promotionalOfferId: String? = nil
  @ExplicitNull public var offerCodeRefName: String? = nil
}

extension RenewalEntry {
  init(_ observation: RenewalObservation, through last: Instant) {
    let info = observation.info
    observedAfterMs = observation.observedAfter
    observedAtMs = observation.observedAt
    lastObservedAtMs = last
    originalTransactionId = info.originalTransactionID
    productId = info.productID
    autoRenewProductId = info.autoRenewProductID
    autoRenewStatus = info.autoRenewStatus
    expirationIntent = info.expirationIntent?.rawValue
    isInBillingRetryPeriod = info.isInBillingRetryPeriod
    gracePeriodExpiresDateMs = info.gracePeriodExpiresDate
    priceConsentStatus = info.priceConsentStatus
    priceIncreaseStatus = info.priceIncreaseStatus
    promotionalOfferId = info.promotionalOfferID
    offerCodeRefName = info.offerCodeRefName
  }
}
