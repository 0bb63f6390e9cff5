import Subscriptions

/// An element of `pending_renewal_info`, or the top level of an iOS 6 style answer, which has the same fields.
struct WireRenewalInfo {
  let info: RenewalInfo

  init(_ values: JSONObject) throws(Misread) {
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
