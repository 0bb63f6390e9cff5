/// What a notification is about: *App Store Server Notifications › notificationType*.
enum NotificationType: String, CaseIterable, Sendable {
  case subscribed = "SUBSCRIBED"
  case didRenew = "DID_RENEW"
  case didChangeRenewalPreference = "DID_CHANGE_RENEWAL_PREF"
  case didChangeRenewalStatus = "DID_CHANGE_RENEWAL_STATUS"
  case offerRedeemed = "OFFER_REDEEMED"
  case didFailToRenew = "DID_FAIL_TO_RENEW"
  case gracePeriodExpired = "GRACE_PERIOD_EXPIRED"
  case expired = "EXPIRED"
  case priceIncrease = "PRICE_INCREASE"
  case refund = "REFUND"
  case revoke = "REVOKE"
  case oneTimeCharge = "ONE_TIME_CHARGE"
  case test = "TEST"

  /// Those that it can have; it can come without one, too.
  var subtypes: Set<NotificationSubtype> {
    switch self {
    case .subscribed: [.initialBuy, .resubscribe]
    case .didRenew: [.billingRecovery]
    case .didChangeRenewalPreference, .offerRedeemed: [.upgrade, .downgrade]
    case .didChangeRenewalStatus: [.autoRenewEnabled, .autoRenewDisabled]
    case .didFailToRenew: [.gracePeriod]
    case .expired: [.voluntary, .billingRetry, .priceIncrease, .productNotForSale]
    case .priceIncrease: [.pending, .accepted]
    case .gracePeriodExpired, .refund, .revoke, .oneTimeCharge, .test: []
    }
  }
}

/// *App Store Server Notifications › subtype*.
enum NotificationSubtype: String, CaseIterable, Sendable {
  case initialBuy = "INITIAL_BUY"
  case resubscribe = "RESUBSCRIBE"
  case billingRecovery = "BILLING_RECOVERY"
  case upgrade = "UPGRADE"
  case downgrade = "DOWNGRADE"
  case autoRenewEnabled = "AUTO_RENEW_ENABLED"
  case autoRenewDisabled = "AUTO_RENEW_DISABLED"
  case gracePeriod = "GRACE_PERIOD"
  case voluntary = "VOLUNTARY"
  case billingRetry = "BILLING_RETRY"
  case priceIncrease = "PRICE_INCREASE"
  case productNotForSale = "PRODUCT_NOT_FOR_SALE"
  case pending = "PENDING"
  case accepted = "ACCEPTED"
}
