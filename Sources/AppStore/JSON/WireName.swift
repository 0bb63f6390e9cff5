/// The members that Apple's objects have, and those of our own around them, as far as somebody reads them or they are many.
package enum WireName: UInt8, CaseIterable {
  case quantity, productID, transactionID, originalTransactionID, webOrderLineItemID,
    subscriptionGroupIdentifier, purchaseDate, purchaseDateMilliseconds, purchaseDatePacific,
    originalPurchaseDate, originalPurchaseDateMilliseconds, originalPurchaseDatePacific, expiresDate,
    expiresDateMilliseconds, expiresDatePacific, cancellationDate, cancellationDateMilliseconds,
    cancellationDatePacific, cancellationReason, isTrialPeriod, isInIntroOfferPeriod, isUpgraded,
    inAppOwnershipType, promotionalOfferID, offerCodeRefName, appAccountToken, autoRenewProductID,
    autoRenewStatus, expirationIntent, isInBillingRetryPeriod, gracePeriodExpiresDate,
    gracePeriodExpiresDateMilliseconds, priceConsentStatus, priceIncreaseStatus, status, environment,
    receipt, isRetryable, isRetryableAlternative, latestReceipt, latestReceiptInfo,
    latestExpiredReceiptInfo, latestExpiredReceipt, pendingRenewalInfo, receiptType, bundleID,
    legacyBundleID, requestDate, requestDateMilliseconds, inApp, notificationType, password,
    autoRenewStatusChangeDate, autoRenewStatusChangeDateMilliseconds, unifiedReceipt, signedPayload,
    notificationUUID, appUserID, observedAtMilliseconds, response, notification, receiptData,
    excludeOldTransactions, signedTransactionInfo, signedRenewalInfo, appTransactionID,
    plainTransactionID, plainOriginalTransactionID

  /// As on the wire.
  package var text: StaticString {
    switch self {
    case .quantity: "quantity"
    case .productID: "product_id"
    case .transactionID: "transaction_id"
    case .originalTransactionID: "original_transaction_id"
    case .webOrderLineItemID: "web_order_line_item_id"
    case .subscriptionGroupIdentifier: "subscription_group_identifier"
    case .purchaseDate: "purchase_date"
    case .purchaseDateMilliseconds: "purchase_date_ms"
    case .purchaseDatePacific: "purchase_date_pst"
    case .originalPurchaseDate: "original_purchase_date"
    case .originalPurchaseDateMilliseconds: "original_purchase_date_ms"
    case .originalPurchaseDatePacific: "original_purchase_date_pst"
    case .expiresDate: "expires_date"
    case .expiresDateMilliseconds: "expires_date_ms"
    case .expiresDatePacific: "expires_date_pst"
    case .cancellationDate: "cancellation_date"
    case .cancellationDateMilliseconds: "cancellation_date_ms"
    case .cancellationDatePacific: "cancellation_date_pst"
    case .cancellationReason: "cancellation_reason"
    case .isTrialPeriod: "is_trial_period"
    case .isInIntroOfferPeriod: "is_in_intro_offer_period"
    case .isUpgraded: "is_upgraded"
    case .inAppOwnershipType: "in_app_ownership_type"
    case .promotionalOfferID: "promotional_offer_id"
    case .offerCodeRefName: "offer_code_ref_name"
    case .appAccountToken: "app_account_token"
    case .autoRenewProductID: "auto_renew_product_id"
    case .autoRenewStatus: "auto_renew_status"
    case .expirationIntent: "expiration_intent"
    case .isInBillingRetryPeriod: "is_in_billing_retry_period"
    case .gracePeriodExpiresDate: "grace_period_expires_date"
    case .gracePeriodExpiresDateMilliseconds: "grace_period_expires_date_ms"
    case .priceConsentStatus: "price_consent_status"
    case .priceIncreaseStatus: "price_increase_status"
    case .status: "status"
    case .environment: "environment"
    case .receipt: "receipt"
    case .isRetryable: "is-retryable"
    case .isRetryableAlternative: "is_retryable"
    case .latestReceipt: "latest_receipt"
    case .latestReceiptInfo: "latest_receipt_info"
    case .latestExpiredReceiptInfo: "latest_expired_receipt_info"
    case .latestExpiredReceipt: "latest_expired_receipt"
    case .pendingRenewalInfo: "pending_renewal_info"
    case .receiptType: "receipt_type"
    case .bundleID: "bundle_id"
    case .legacyBundleID: "bid"
    case .requestDate: "request_date"
    case .requestDateMilliseconds: "request_date_ms"
    case .inApp: "in_app"
    case .notificationType: "notification_type"
    case .password: "password"
    case .autoRenewStatusChangeDate: "auto_renew_status_change_date"
    case .autoRenewStatusChangeDateMilliseconds: "auto_renew_status_change_date_ms"
    case .unifiedReceipt: "unified_receipt"
    case .signedPayload: "signedPayload"
    case .signedTransactionInfo: "signedTransactionInfo"
    case .signedRenewalInfo: "signedRenewalInfo"
    case .appTransactionID: "appTransactionId"
    case .plainTransactionID: "transactionId"
    case .plainOriginalTransactionID: "originalTransactionId"
    case .notificationUUID: "notificationUUID"
    case .appUserID: "app_user_id"
    case .observedAtMilliseconds: "observed_at_ms"
    case .response: "response"
    case .notification: "notification"
    case .receiptData: "receipt-data"
    case .excludeOldTransactions: "exclude-old-transactions"
    }
  }
}
