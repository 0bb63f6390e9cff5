/// One entry of the feed: something that happened to a chain, in RevenueCat's webhook names with Apple's beside. METRICS §6.
public struct LineEvent: Hashable, Sendable {
  /// What happened. A notification of a type that has no name here keeps Apple's.
  public struct Kind: TextIdentifier {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let initialPurchase = Kind("INITIAL_PURCHASE")
    public static let renewal = Kind("RENEWAL")
    public static let resubscribe = Kind("RESUBSCRIBE")
    public static let offerRedeemed = Kind("OFFER_REDEEMED")
    public static let productChange = Kind("PRODUCT_CHANGE")
    public static let cancellation = Kind("CANCELLATION")
    public static let uncancellation = Kind("UNCANCELLATION")
    public static let billingIssue = Kind("BILLING_ISSUE")
    public static let gracePeriodExpired = Kind("GRACE_PERIOD_EXPIRED")
    public static let expiration = Kind("EXPIRATION")
    public static let refundReversed = Kind("REFUND_REVERSED")
    public static let revoke = Kind("REVOKE")
    public static let subscriptionExtended = Kind("SUBSCRIPTION_EXTENDED")
    public static let priceConsentPending = Kind("PRICE_CONSENT_PENDING")
    public static let priceConsentAccepted = Kind("PRICE_CONSENT_ACCEPTED")
    public static let nonRenewingPurchase = Kind("NON_RENEWING_PURCHASE")
    public static let transfer = Kind("TRANSFER")
    /// Nobody asked Apple since the period ended.
    public static let overdue = Kind("OVERDUE")
    /// The period ended, the line came back, and nobody asked Apple in between.
    public static let unattributed = Kind("UNATTRIBUTED")
  }

  /// Apple's notification type of version 2 with its subtype: `DID_RENEW`, `EXPIRED/VOLUNTARY`.
  public struct AppleName: Hashable, Sendable {
    public var type: String
    public var subtype: String?

    /// - Parameter text: the type, and the subtype after a slash.
    public init(_ text: String) {
      guard let slash = text.utf8.firstIndex(of: UInt8(ascii: "/")) else {
        (type, subtype) = (text, nil)
        return
      }
      (type, subtype) = (String(text[..<slash]), String(text[text.utf8.index(after: slash)...]))
    }

    public var text: String { subtype.map { "\(type)/\($0)" } ?? type }
  }

  public var type: Kind
  /// Empty where Apple has no name for it.
  public var appleName: AppleName
  /// `UNSUBSCRIBE`, `BILLING_ERROR`, `CUSTOMER_SUPPORT` and the like; nil where the type says it all.
  public var reason: String?
  /// The change of METRICS §5 that it is; nil where it changes no set of positions and no revenue, and of family-shared lines, which no
  /// figure counts.
  public var flow: Flow?
  public var environment: StoreEnvironment
  public var isFamilyShare = false
  public var originalTransactionID: OriginalTransactionID
  public var transactionID: TransactionID?
  public var productID: ProductID
  public var newProductID: ProductID?
  /// The user that a transfer went to.
  public var appUserID: AppUserID?
  /// `TRIAL`, `INTRO`, `PROMOTIONAL` or `NORMAL`, of the row that it is about.
  public var periodType: String?
  public var isTrialConversion = false
  /// When it happened; for what Apple gives only as a state, the instant from which METRICS §3 counts it, or else the observation
  /// that showed it.
  public var effectiveAt: Instant
  /// The validation that showed it.
  public var observedAt: Instant
  /// Set where only an interval is known: the last validation that did not show it.
  public var observedAfter: Instant?
  /// Whether a notification alone tells it, and nothing that a validation showed. Such an event moves no money.
  public var isToldByNotificationAlone = false
  /// Apple's notification that told the same, and when it was signed, or of version 1 came. One of version 2 gives the event Apple's
  /// own name for it.
  public var notificationType: NotificationType?
  public var notifiedAt: Instant?
  /// Of the transaction; nil where Apple told none.
  public var storefront: StorefrontCode?
  /// What the transaction cost, negative where it came back; nil where the event moves no money or nobody knows the price.
  public var price: Money?

  public init(
    _ type: Kind, apple: String, reason: String? = nil, environment: StoreEnvironment,
    chain: OriginalTransactionID, transaction: TransactionID? = nil, product: ProductID,
    newProduct: ProductID? = nil, effectiveAt: Instant, observedAt: Instant, observedAfter: Instant? = nil
  ) {
    self.type = type
    appleName = AppleName(apple)
    self.reason = reason
    self.environment = environment
    originalTransactionID = chain
    transactionID = transaction
    productID = product
    newProductID = newProduct
    self.effectiveAt = effectiveAt
    self.observedAt = observedAt
    self.observedAfter = observedAfter
  }

  /// Whether the instant is Apple's own; otherwise only the interval (`observedAfter`, `observedAt`] is known.
  public var isExact: Bool { observedAfter == nil }

  /// METRICS §5, Detection lag: how long after it happened it was learnt; nil where only an interval is known.
  public var detectionLag: Int64? { isExact ? observedAt - effectiveAt : nil }
}

extension LineEvent {
  /// Names the event: the same however often and in whatever order it is derived.
  public var id: String {
    var hash = StableHash()
    hash.add(environment.rawValue)
    hash.add(originalTransactionID.rawValue)
    hash.add(effectiveAt.rawValue)
    for key in lastKeys + [type.rawValue] { hash.add(key) }
    return hash.value.hexadecimal
  }

  /// What tells events of one type, chain and instant apart.
  private var lastKeys: [String] {
    [
      transactionID?.rawValue ?? "", productID.rawValue, newProductID?.rawValue ?? "", appleName.text,
      appUserID?.rawValue ?? "", isFamilyShare ? "1" : "0", observedAfter.map { "\($0.rawValue)" } ?? "",
      "\(observedAt.rawValue)", reason ?? "",
    ]
  }

  /// The newest first, in one order whatever the order of arrival.
  public static func newestFirst(_ left: Self, _ right: Self) -> Bool {
    if left.effectiveAt != right.effectiveAt { return left.effectiveAt > right.effectiveAt }
    if left.originalTransactionID != right.originalTransactionID {
      return left.originalTransactionID < right.originalTransactionID
    }
    if left.environment != right.environment { return left.environment < right.environment }
    if left.type != right.type { return left.type.rawValue < right.type.rawValue }
    return left.lastKeys.lexicographicallyPrecedes(right.lastKeys)
  }

  /// Which way a transaction's price moves with the event: 1 in, -1 back, 0 not at all.
  public var priceSign: Int64 {
    guard transactionID != nil, !isFamilyShare, !isToldByNotificationAlone else { return 0 }
    switch type {
    case .initialPurchase, .renewal, .resubscribe, .offerRedeemed, .nonRenewingPurchase, .refundReversed:
      return 1
    // One that is chosen and has not begun is of no row.
    case .productChange: return periodType == nil ? 0 : 1
    case .cancellation: return reason == "CUSTOMER_SUPPORT" ? -1 : 0
    default: return 0
    }
  }

  /// Takes what of a transaction's price moves with the event.
  ///
  /// - Parameter terms: tell whether not all of it came back.
  package mutating func move(_ price: @autoclosure () -> Money?, _ terms: @autoclosure () -> SignedTerms?) {
    guard priceSign != 0, let price = price() else { return }
    let isRefund = type == .cancellation || type == .refundReversed
    let moved = (isRefund ? terms()?.partialRefund(of: price, movedBy: self) : nil) ?? price
    self.price = Money(micros: moved.micros * Int128(priceSign), currency: price.currency)
  }
}

extension LineEvent {
  /// Reason in JSON and CSV. Intent 5 and undocumented intents are `UNKNOWN` there, as in RevenueCat's webhooks.
  public var reportedReason: String? {
    guard let reason else { return nil }
    return reason == ExpirationIntent.other.eventReason || reason.hasPrefix(ExpirationIntent.undocumented)
      ? "UNKNOWN" : reason
  }
}

extension SignedTerms {
  /// Part of a price that a refund or its reversal moved; `nil` if it moved the whole price.
  fileprivate func partialRefund(of price: Money, movedBy event: LineEvent) -> Money? {
    switch event.type {
    case .cancellation: return partialRefund(of: price, cancelled: event.effectiveAt)
    case .refundReversed:
      // The refund that Apple had spoken of last.
      let known = revocations.filter { $0.signedAt <= event.effectiveAt }
      let reversed = known.last ?? revocations.first { $0.date <= event.effectiveAt }
      return reversed.flatMap { partialRefund(of: price, cancelled: $0.date) }
    default: return nil
    }
  }
}

extension LineEvent: Encodable {
  private enum CodingKeys: String, CodingKey {
    case id, type, appleType, appleSubtype, reason, flow, environment, isFamilyShare, originalTransactionId,
      transactionId
    case productId, newProductId, appUserId, periodType, isTrialConversion, effectiveAtMs, effectivePrecision
    case observedAtMs, observedAfterMs, detectionLagMs, notificationType, notifiedAtMs, source, priceMicros,
      currency, storefront
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
    try container.encode(type, forKey: .type)
    try container.encode(appleName.type.isEmpty ? nil : appleName.type, forKey: .appleType)
    try container.encode(appleName.subtype, forKey: .appleSubtype)
    try container.encode(reportedReason, forKey: .reason)
    try container.encode(flow?.rawValue, forKey: .flow)
    try container.encode(environment, forKey: .environment)
    try container.encode(isFamilyShare, forKey: .isFamilyShare)
    try container.encode(originalTransactionID, forKey: .originalTransactionId)
    try container.encode(transactionID, forKey: .transactionId)
    try container.encode(productID, forKey: .productId)
    try container.encode(newProductID, forKey: .newProductId)
    try container.encode(appUserID, forKey: .appUserId)
    try container.encode(periodType, forKey: .periodType)
    try container.encode(isTrialConversion, forKey: .isTrialConversion)
    try container.encode(effectiveAt, forKey: .effectiveAtMs)
    try container.encode(isExact ? "exact" : "interval", forKey: .effectivePrecision)
    try container.encode(observedAt, forKey: .observedAtMs)
    try container.encode(observedAfter, forKey: .observedAfterMs)
    try container.encode(detectionLag, forKey: .detectionLagMs)
    try container.encode(notificationType, forKey: .notificationType)
    try container.encode(notifiedAt, forKey: .notifiedAtMs)
    try container.encode(isToldByNotificationAlone ? "notification" : "validation", forKey: .source)
    try container.encode(price?.micros, forKey: .priceMicros)
    try container.encode(price?.currency, forKey: .currency)
    try container.encode(storefront, forKey: .storefront)
  }
}
