/// A name of Apple's for what a server notification tells: *App Store Server Notifications › notification_type* of version 1,
/// *notificationType* of version 2.
///
/// One that Apple added later, or that we do not know, is kept as it came.
public struct NotificationType: TextIdentifier {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
}

extension NotificationType {
  public static let initialBuy = NotificationType("INITIAL_BUY")
  public static let didRenew = NotificationType("DID_RENEW")
  /// What DID_RECOVER was called until 2021.
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

/// Those of version 2 alone.
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

/// What one notification told of one chain, apart from the answer that it carried.
public struct ServerNotification: Hashable, Sendable {
  public var type: NotificationType
  /// Of version 2 alone, where many types have none.
  public var subtype: String?
  /// Whether it is of version 2, which says in renewal infos what version 1 says in fields of its own.
  public var isSigned = false
  public var environment: StoreEnvironment
  public var originalTransactionID: OriginalTransactionID
  /// The transaction that it is about: the one it names, else the newest that it carried of the chain.
  public var transactionID: TransactionID?
  public var productID: ProductID?
  public var autoRenewProductID: ProductID?
  public var autoRenewStatus: Bool?
  /// Apple's instant of a switch of auto-renew, which answers never carry.
  public var autoRenewStatusChangeDate: Instant?
  public var cancellationDate: Instant?
  /// When what it says was observed: when Apple signed what it carries; of version 1 when it was received, unless whoever kept it
  /// says otherwise.
  public var observedAt: Instant
  /// How Apple fared with sending it, as far as its notification history was fetched.
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
  /// One order whatever the order of arrival.
  static func inOrder(_ left: Self, _ right: Self) -> Bool {
    if left.observedAt != right.observedAt { return left.observedAt < right.observedAt }
    if left.type != right.type { return left.type < right.type }
    if left.subtype != right.subtype { return left.subtype ?? "" < right.subtype ?? "" }
    return (left.transactionID ?? TransactionID("")) < (right.transactionID ?? TransactionID(""))
  }
}
