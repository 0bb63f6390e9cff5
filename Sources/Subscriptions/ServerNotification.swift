/// Apple's *notification_type* of version 1 or *notificationType* of version 2. Unknown types are kept.
public struct NotificationType: TextIdentifier {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
}

extension NotificationType {
  public static let initialBuy = NotificationType("INITIAL_BUY")
  public static let didRenew = NotificationType("DID_RENEW")
  /// Name of DID_RECOVER until 2021.
  public static let renewal = NotificationType("RENEWAL")
  public static let didRecover = NotificationType("DID_RECOVER")
  public static let interactiveRenewal = NotificationType("INTERACTIVE_RENEWAL")
  public static let didChangeRenewalStatus = NotificationType("DID_CHANGE_RENEWAL_STATUS")
  public static let didChangeRenewalPref = NotificationType("DID_CHANGE_RENEWAL_PREF")
  public static let didFailToRenew = NotificationType("DID_FAIL_TO_RENEW")
  public static let cancel = NotificationType("CANCEL")
  public static let refund = NotificationType("REFUND")
  public static let revoke = NotificationType("REVOKE")
  public static let priceIncreaseConsent = NotificationType("PRICE_INCREASE_CONSENT")
  public static let consumptionRequest = NotificationType("CONSUMPTION_REQUEST")
}

/// Types of version 2 only.
extension NotificationType {
  public static let subscribed = NotificationType("SUBSCRIBED")
  public static let offerRedeemed = NotificationType("OFFER_REDEEMED")
  public static let gracePeriodExpired = NotificationType("GRACE_PERIOD_EXPIRED")
  public static let expired = NotificationType("EXPIRED")
  public static let priceIncrease = NotificationType("PRICE_INCREASE")
  public static let refundReversed = NotificationType("REFUND_REVERSED")
  public static let renewalExtended = NotificationType("RENEWAL_EXTENDED")
  public static let oneTimeCharge = NotificationType("ONE_TIME_CHARGE")
}

/// Facts of a notification about one chain, without the answer in it.
public struct ServerNotification: Hashable, Sendable {
  public var type: NotificationType
  /// Version 2 only.
  public var subtype: String?
  /// Whether it is of version 2, in which renewal infos replace some fields.
  public var isSigned = false
  public var environment: StoreEnvironment
  public var originalTransactionID: OriginalTransactionID
  /// Transaction that it names, else the chain's newest in it.
  public var transactionID: TransactionID?
  public var productID: ProductID?
  public var autoRenewProductID: ProductID?
  public var autoRenewStatus: Bool?
  /// Apple's instant at which auto-renew was switched, which answers lack.
  public var autoRenewStatusChangeDate: Instant?
  public var cancellationDate: Instant?
  /// When Apple signed its contents. For version 1, when it was received or, if given, its source's time.
  public var observedAt: Instant
  public var sendAttempts: [SendAttempt] = []

  public init(
    type: NotificationType, environment: StoreEnvironment, originalTransactionID: OriginalTransactionID,
    observedAt: Instant
  ) {
    self.type = type
    self.environment = environment
    self.originalTransactionID = originalTransactionID
    self.observedAt = observedAt
  }
  static func inOrder(_ left: Self, _ right: Self) -> Bool {
    if left.observedAt != right.observedAt { return left.observedAt < right.observedAt }
    if left.type != right.type { return left.type < right.type }
    if left.subtype != right.subtype { return left.subtype ?? "" < right.subtype ?? "" }
    return (left.transactionID ?? TransactionID("")) < (right.transactionID ?? TransactionID(""))
  }
}
