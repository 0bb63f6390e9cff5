import Subscriptions

extension RenewalInfo {
  public static func make(
    chain: String? = "1", product: String? = "monthly", next: String? = nil, autoRenew: Bool? = true,
    intent: ExpirationIntent? = nil, retry: Bool? = nil, grace: Instant? = nil, consent: String? = nil,
    change: (inout RenewalInfo) -> Void = { _ in }
  ) -> RenewalInfo {
    var info = RenewalInfo()
    info.originalTransactionID = chain.map(OriginalTransactionID.init)
    info.productID = product.map(ProductID.init)
    info.autoRenewProductID = (next ?? product).map(ProductID.init)
    info.autoRenewStatus = autoRenew
    info.expirationIntent = intent
    info.isInBillingRetryPeriod = retry
    info.gracePeriodExpiresDate = grace
    info.priceConsentStatus = consent
    change(&info)
    return info
  }
}

extension RenewalObservation {
  public static func make(
    at observedAt: Instant, after: Instant? = nil, _ info: RenewalInfo
  ) -> RenewalObservation {
    RenewalObservation(info: info, observedAfter: after, observedAt: observedAt)
  }
}
