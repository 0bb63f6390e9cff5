import Subscriptions

/// An element of `pending_renewal_info`, or the top level of an iOS 6 style answer, which has the same fields.
struct WireRenewalInfo: Decodable {
  let info: RenewalInfo

  enum CodingKeys: String, CodingKey, CaseIterable {
    case originalTransactionID = "original_transaction_id"
    case productID = "product_id"
    case autoRenewProductID = "auto_renew_product_id"
    case autoRenewStatus = "auto_renew_status"
    case expirationIntent = "expiration_intent"
    case isInBillingRetryPeriod = "is_in_billing_retry_period"
    case gracePeriodExpiresDate = "grace_period_expires_date"
    case gracePeriodExpiresDateMilliseconds = "grace_period_expires_date_ms"
    case priceConsentStatus = "price_consent_status"
    case priceIncreaseStatus = "price_increase_status"
    case promotionalOfferID = "promotional_offer_id"
    case offerCodeRefName = "offer_code_ref_name"
  }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    var info = RenewalInfo()
    info.originalTransactionID = try values.text(.originalTransactionID).map(OriginalTransactionID.init)
    info.productID = try values.text(.productID).map(ProductID.init)
    info.autoRenewProductID = try values.text(.autoRenewProductID).map(ProductID.init)
    info.autoRenewStatus = try values.flag(.autoRenewStatus)
    info.expirationIntent = try values.text(.expirationIntent).map(ExpirationIntent.init)
    info.isInBillingRetryPeriod = try values.flag(.isInBillingRetryPeriod)
    info.gracePeriodExpiresDate = try values.instant(
      .gracePeriodExpiresDateMilliseconds, orText: .gracePeriodExpiresDate)
    info.priceConsentStatus = try values.text(.priceConsentStatus)
    info.priceIncreaseStatus = try values.text(.priceIncreaseStatus)
    info.promotionalOfferID = try values.text(.promotionalOfferID)
    info.offerCodeRefName = try values.text(.offerCodeRefName)
    self.info = info
  }
}
