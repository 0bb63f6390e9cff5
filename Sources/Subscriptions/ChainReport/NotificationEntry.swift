/// A notification that told of the chain.
public struct NotificationEntry: Hashable, Sendable, Encodable {
  public var type: NotificationType
  public var observedAtMs: Instant
  @ExplicitNull public var transactionId: TransactionID? = nil
  @ExplicitNull public var productId: ProductID? = nil
  @ExplicitNull public var autoRenewProductId: ProductID? = nil
  @ExplicitNull public var autoRenewStatus: Bool? = nil
  @ExplicitNull public var autoRenewStatusChangeDateMs: Instant? = nil
  @ExplicitNull public var cancellationDateMs: Instant? = nil
}

extension NotificationEntry {
  init(_ notification: ServerNotification) {
    type = notification.type
    observedAtMs = notification.observedAt
    transactionId = notification.transactionID
    productId = notification.productID
    autoRenewProductId = notification.autoRenewProductID
    autoRenewStatus = notification.autoRenewStatus
    autoRenewStatusChangeDateMs = notification.autoRenewStatusChangeDate
    cancellationDateMs = notification.cancellationDate
  }
}
