/// A name of Apple's for what a server notification of version 1 tells: *App Store Server Notifications › notification_type*.
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

/// What one notification told of one chain, apart from the answer that it carried.
public struct ServerNotification: Hashable, Sendable {
  public var type: NotificationType
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
  /// When what it says was observed: when it was received, unless whoever kept it says otherwise.
  public var observedAt: Instant

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
    return (left.transactionID ?? TransactionID("")) < (right.transactionID ?? TransactionID(""))
  }
}
