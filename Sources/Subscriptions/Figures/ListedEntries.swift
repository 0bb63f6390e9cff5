/// Row that was upgraded away in a window.
public struct UpgradeEntry: Hashable, Sendable, Encodable {
  public var originalTransactionId: OriginalTransactionID
  public var transactionId: TransactionID
  public var fromProductId: ProductID
  @ExplicitNull public var toProductId: ProductID?
  public var kind: ChangeDirection
  public var upgradedAtMs: Instant
  public var confirmed: Bool
  @ExplicitNull public var priceMicros: Int64?
  @ExplicitNull public var currency: CurrencyCode?
  @ExplicitNull public var proratedRefundMicros: Int64?
  @ExplicitNull public var storefront: StorefrontCode?

  public init(
    originalTransactionId: OriginalTransactionID, transactionId: TransactionID, fromProductId: ProductID,
    toProductId: ProductID?, kind: ChangeDirection, upgradedAtMs: Instant, confirmed: Bool, price: Money?,
    proratedRefundMicros: Int64?, storefront: StorefrontCode? = nil
  ) {
    (self.storefront, self.originalTransactionId) = (storefront, originalTransactionId)
    (self.transactionId, self.fromProductId) = (transactionId, fromProductId)
    (self.toProductId, self.kind, self.upgradedAtMs) = (toProductId, kind, upgradedAtMs)
    (self.confirmed, priceMicros, currency) = (confirmed, price?.single, price?.currency)
    self.proratedRefundMicros = proratedRefundMicros
  }

  static func inOrder(_ left: Self, _ right: Self) -> Bool {
    left.upgradedAtMs == right.upgradedAtMs
      ? left.transactionId < right.transactionId : left.upgradedAtMs > right.upgradedAtMs
  }
}

/// Subscription in billing retry.
public struct UnpaidEntry: Hashable, Sendable, Encodable {
  public var originalTransactionId: OriginalTransactionID
  @ExplicitNull public var appUserId: AppUserID?
  public var productId: ProductID
  public var expiredAtMs: Instant
  public var daysInRetry: Int
  /// Latest possible end of billing retry: 60 days after the expiry.
  public var retryEndsAtMs: Instant
  @ExplicitNull public var storefront: StorefrontCode?
  @ExplicitNull public var amountMicros: Int64?
  @ExplicitNull public var currency: CurrencyCode?
  public var convertedMicros: Int64?

  public init(
    originalTransactionId: OriginalTransactionID, appUserId: AppUserID?, productId: ProductID,
    expired: Instant, storefront: StorefrontCode? = nil, mrr: Money? = nil, converted: Int64? = nil,
    at t: Instant
  ) {
    (self.storefront, amountMicros, currency) = (storefront, mrr?.single, mrr?.currency)
    convertedMicros = converted
    (self.originalTransactionId, self.appUserId) = (originalTransactionId, appUserId)
    (self.productId, expiredAtMs) = (productId, expired)
    daysInRetry = Int((t - expired) / Milliseconds.day)
    retryEndsAtMs = expired + billingRetryMilliseconds
  }

  public var mrr: Money? {
    currency.flatMap { currency in amountMicros.map { Money(micros: $0, currency: currency) } }
  }

  public func worth(in reporting: CurrencyCode) -> Money? {
    convertedMicros.map { Money(micros: $0, currency: reporting) }
  }

  public static func inOrder(_ left: Self, _ right: Self) -> Bool {
    left.expiredAtMs == right.expiredAtMs
      ? left.originalTransactionId < right.originalTransactionId : left.expiredAtMs > right.expiredAtMs
  }
}

/// Subscription whose customer has not yet agreed to a higher price.
public struct PendingConsent: Hashable, Sendable, Encodable {
  public var originalTransactionId: OriginalTransactionID
  @ExplicitNull public var appUserId: AppUserID?
  public var productId: ProductID
  public var expiresMs: Instant
  /// Whole days until the subscription ends without consent.
  public var daysLeft: Int

  public init(
    _ original: OriginalTransactionID, user: AppUserID?, product: ProductID, expires: Instant, at t: Instant
  ) {
    originalTransactionId = original
    appUserId = user
    productId = product
    expiresMs = expires
    daysLeft = Int(clamping: (expires - t) / Milliseconds.day)
  }

  static func inOrder(_ left: Self, _ right: Self) -> Bool {
    left.expiresMs == right.expiresMs
      ? left.originalTransactionId < right.originalTransactionId : left.expiresMs < right.expiresMs
  }
}
