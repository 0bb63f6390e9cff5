/// Server notification about the chain, with the fields that the store keeps.
public struct NotificationEntry: Hashable, Sendable, Encodable {
  public var type: NotificationType
  @ExplicitNull public var subtype: String? = nil
  public var observedAtMs: Instant
  @ExplicitNull public var transactionId: TransactionID? = nil
  @ExplicitNull public var productId: ProductID? = nil
  @ExplicitNull public var autoRenewProductId: ProductID? = nil
  @ExplicitNull public var autoRenewStatus: Bool? = nil
  @ExplicitNull public var autoRenewStatusChangeDateMs: Instant? = nil
  @ExplicitNull public var cancellationDateMs: Instant? = nil
  /// Apple's attempts to send it, oldest first; empty if they were not fetched.
  public var sendAttempts: [SendAttempt] = []
}

extension NotificationEntry {
  init(_ notification: ServerNotification) {
    type = notification.type
    subtype = notification.subtype
    observedAtMs = notification.observedAt
    transactionId = notification.transactionID
    productId = notification.productID
    autoRenewProductId = notification.autoRenewProductID
    autoRenewStatus = notification.autoRenewStatus
    autoRenewStatusChangeDateMs = notification.autoRenewStatusChangeDate
    cancellationDateMs = notification.cancellationDate
    sendAttempts = notification.sendAttempts
  }
}
