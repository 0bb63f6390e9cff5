import Subscriptions

extension AppleJSONWriter {
  /// *responseBody.Latest_receipt_info*, in Apple's order of fields.
  mutating func latestReceiptInfo(_ row: Transaction) {
    beginRow(row)
    member("subscription_group_identifier", row.subscriptionGroupIdentifier?.rawValue)
    if row.isUpgraded { member("is_upgraded", true) }
    member("offer_code_ref_name", row.offerCodeRefName)
    member("app_account_token", row.appAccountToken)
    closeObject()
  }

  /// *responseBody.Receipt.In_app*: without the group, and without what only the server knows.
  mutating func inApp(_ row: Transaction) {
    beginRow(row)
    member("app_account_token", row.appAccountToken)
    closeObject()
  }

  private mutating func beginRow(_ row: Transaction) {
    openElement()
    member("quantity", "1")
    member("product_id", row.productID.rawValue)
    member("transaction_id", row.transactionID.rawValue)
    member("original_transaction_id", row.originalTransactionID.rawValue)
    date("purchase_date", row.purchaseDate)
    date("original_purchase_date", row.originalPurchaseDate)
    date("expires_date", row.expiresDate)
    date("cancellation_date", row.cancellationDate)
    member("web_order_line_item_id", row.webOrderLineItemID?.rawValue)
    member("is_trial_period", row.isTrialPeriod)
    if row.expiresDate != nil { member("is_in_intro_offer_period", row.isInIntroOfferPeriod) }
    member("promotional_offer_id", row.promotionalOfferID)
    member("cancellation_reason", row.cancellationReason)
    member("in_app_ownership_type", row.inAppOwnershipType.rawValue)
  }

  /// *responseBody.Pending_renewal_info*: here flags are "0" and "1".
  mutating func pendingRenewalInfo(_ info: RenewalInfo) {
    openElement()
    member("expiration_intent", info.expirationIntent?.rawValue)
    member("auto_renew_product_id", info.autoRenewProductID?.rawValue)
    member("original_transaction_id", info.originalTransactionID?.rawValue)
    member("is_in_billing_retry_period", info.isInBillingRetryPeriod.map { $0 ? "1" : "0" })
    date("grace_period_expires_date", info.gracePeriodExpiresDate)
    member("product_id", info.productID?.rawValue)
    member("auto_renew_status", info.autoRenewStatus.map { $0 ? "1" : "0" })
    member("price_consent_status", info.priceConsentStatus)
    member("price_increase_status", info.priceIncreaseStatus)
    member("promotional_offer_id", info.promotionalOfferID)
    member("offer_code_ref_name", info.offerCodeRefName)
    closeObject()
  }
}
