/// One entry of the feed: something that happened to a line, in RevenueCat's webhook names with Apple's beside. METRICS §5.
public struct LineEvent: Hashable, Sendable, Encodable {
  public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
    case initialPurchase = "INITIAL_PURCHASE"
    case renewal = "RENEWAL"
    case resubscribe = "RESUBSCRIBE"
    case productChange = "PRODUCT_CHANGE"
    case cancellation = "CANCELLATION"
    case uncancellation = "UNCANCELLATION"
    case billingIssue = "BILLING_ISSUE"
    case expiration = "EXPIRATION"
    case revoke = "REVOKE"
    case priceConsentPending = "PRICE_CONSENT_PENDING"
    case priceConsentAccepted = "PRICE_CONSENT_ACCEPTED"
  }

  public var type: Kind
  /// Apple's notification type, with its subtype after a slash.
  public var appleType: String
  /// `UNSUBSCRIBE`, `BILLING_ERROR`, `CUSTOMER_SUPPORT` and the like; nil where the type says it all.
  @ExplicitNull public var reason: String?
  public var originalTransactionId: OriginalTransactionID
  @ExplicitNull public var transactionId: TransactionID?
  public var productId: ProductID
  @ExplicitNull public var newProductId: ProductID?
  /// When it happened; for what Apple gives only as a state, the observation that showed it.
  public var effectiveAtMs: Instant
  /// The validation that showed it.
  public var observedAtMs: Instant
  /// Set where only an interval is known: the last validation that did not show it.
  @ExplicitNull public var observedAfterMs: Instant?

  public init(
    _ type: Kind, apple: String, reason: String? = nil, chain: OriginalTransactionID,
    transaction: TransactionID? = nil, product: ProductID, newProduct: ProductID? = nil, effectiveAt: Instant,
    observedAt: Instant, observedAfter: Instant? = nil
  ) {
    self.type = type
    appleType = apple
    self.reason = reason
    originalTransactionId = chain
    transactionId = transaction
    productId = product
    newProductId = newProduct
    effectiveAtMs = effectiveAt
    observedAtMs = observedAt
    observedAfterMs = observedAfter
  }

  /// What tells events of one type, chain and instant apart.
  private var lastKeys: [String] {
    [transactionId?.rawValue ?? "", productId.rawValue, newProductId?.rawValue ?? "", appleType]
  }

  /// The newest first, in one order whatever the order of arrival.
  public static func newestFirst(_ left: Self, _ right: Self) -> Bool {
    if left.effectiveAtMs != right.effectiveAtMs { return left.effectiveAtMs > right.effectiveAtMs }
    if left.originalTransactionId != right.originalTransactionId {
      return left.originalTransactionId < right.originalTransactionId
    }
    if left.type != right.type { return left.type.rawValue < right.type.rawValue }
    return left.lastKeys.lexicographicallyPrecedes(right.lastKeys)
  }
}
