/// Event of a chain in the feed, named as in RevenueCat's webhooks and Apple's notifications (METRICS §6).
public struct LineEvent: Hashable, Sendable, Encodable {
  /// Type of an event; types that are not listed here have the name of Apple's notification type.
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
    /// The period ended, and there has been no validation since.
    public static let overdue = Kind("OVERDUE")
    /// The period ended and the line came back, without a validation in between.
    public static let unattributed = Kind("UNATTRIBUTED")
  }

  /// Apple's notification type, and its subtype if it has one: `DID_RENEW`, `EXPIRED/VOLUNTARY`.
  public struct AppleName: Hashable, Sendable {
    public var type: String
    public var subtype: String?

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
  public var appleName: AppleName
  public var reason: String?
  /// Change (METRICS §5) that the event represents; `nil` if there is none or the line is family-shared.
  public var flow: Flow?
  public var environment: StoreEnvironment
  public var isFamilyShare = false
  public var originalTransactionID: OriginalTransactionID
  public var transactionID: TransactionID?
  public var productID: ProductID
  public var newProductID: ProductID?
  public var appUserID: AppUserID?
  /// `TRIAL`, `INTRO`, `PROMOTIONAL` or `NORMAL`.
  public var periodType: String?
  public var isTrialConversion = false
  /// Instant of the event; if Apple reports only a state, the instant by METRICS §3 or else `observedAt`.
  public var effectiveAt: Instant
  /// Instant of the validation or notification that showed the event.
  public var observedAt: Instant
  /// Start of the event's interval, usually the last validation without the event; `nil` if dated exactly.
  public var observedAfter: Instant?
  /// Whether only a notification shows the event; such an event has no price.
  public var isNotifiedOnly = false
  /// Type of the event's notification; it can differ from `appleName`, as in notifications of version 1.
  public var notificationType: NotificationType?
  /// `observedAt` of the event's notification.
  public var notifiedAt: Instant?
  public var storefront: StorefrontCode?
  /// Price of the event, negative for a refund; `nil` if no money moves or the price is unknown.
  public var price: Money?

  public init(
    _ type: Kind, apple: String, reason: String? = nil, environment: StoreEnvironment,
    chain: OriginalTransactionID, transaction: TransactionID? = nil, product: ProductID,
    newProduct: ProductID? = nil, effectiveAt: Instant, observedAt: Instant, observedAfter: Instant? = nil
  ) {
    self.type = type
    appleName = AppleName(apple)
    (self.reason, self.environment, originalTransactionID) = (reason, environment, chain)
    (transactionID, productID, newProductID) = (transaction, product, newProduct)
    (self.effectiveAt, self.observedAt) = (effectiveAt, observedAt)
    self.observedAfter = observedAfter
  }

  /// Whether the event is dated exactly, rather than by the interval (`observedAfter`, `observedAt`].
  public var isExact: Bool { observedAfter == nil }

  /// Milliseconds from the event to its observation (METRICS §5); `nil` if only an interval is known.
  public var detectionLag: Int64? { isExact ? observedAt - effectiveAt : nil }

  /// Identifier that stays the same when the event is derived again.
  public var id: String {
    var hash = StableHash()
    hash.add(environment.rawValue)
    hash.add(originalTransactionID.rawValue)
    hash.add(effectiveAt.rawValue)
    for key in lastKeys + [type.rawValue] { hash.add(key) }
    return hash.value.hexadecimal
  }

  private var lastKeys: [String] {
    [
      transactionID?.rawValue ?? "", productID.rawValue, newProductID?.rawValue ?? "", appleName.text,
      appUserID?.rawValue ?? "", isFamilyShare ? "1" : "0", observedAfter.map { "\($0.rawValue)" } ?? "",
      "\(observedAt.rawValue)", reason ?? "",
    ]
  }

  /// Order of events at the same instant: a purchase comes after a failure or an end.
  private var precedence: Int {
    let ends: [Kind] = [.billingIssue, .gracePeriodExpired, .overdue, .unattributed, .expiration]
    return ends.firstIndex(of: type) ?? ends.count
  }

  /// Orders the newest event first, and simultaneous events always in the same way.
  public static func newestFirst(_ left: Self, _ right: Self) -> Bool {
    if left.effectiveAt != right.effectiveAt { return left.effectiveAt > right.effectiveAt }
    if left.originalTransactionID != right.originalTransactionID {
      return left.originalTransactionID < right.originalTransactionID
    }
    if left.environment != right.environment { return left.environment < right.environment }
    if left.precedence != right.precedence { return left.precedence > right.precedence }
    if left.type != right.type { return left.type.rawValue < right.type.rawValue }
    return left.lastKeys.lexicographicallyPrecedes(right.lastKeys)
  }

  /// 1 if a price is paid with the event, -1 if it is refunded, 0 otherwise.
  public var priceSign: Int64 {
    guard transactionID != nil, !isFamilyShare, !isNotifiedOnly else { return 0 }
    switch type {
    case .initialPurchase, .renewal, .resubscribe, .offerRedeemed, .nonRenewingPurchase, .refundReversed:
      return 1
    // A product change that has not begun yet has no row.
    case .productChange: return periodType == nil ? 0 : 1
    case .cancellation: return reason == "CUSTOMER_SUPPORT" ? -1 : 0
    default: return 0
    }
  }

  /// Sets the event's price; a refund's price is only the refunded part if `terms` have a partial refund.
  package mutating func move(_ price: @autoclosure () -> Money?, _ terms: @autoclosure () -> SignedTerms?) {
    guard priceSign != 0, let price = price() else { return }
    let isRefund = type == .cancellation || type == .refundReversed
    let moved = (isRefund ? terms()?.partialRefund(of: price, movedBy: self) : nil) ?? price
    self.price = Money(micros: moved.micros * Int128(priceSign), currency: price.currency)
  }

  /// Reason in JSON and CSV; intent 5 and undocumented intents are `UNKNOWN`, as in RevenueCat's webhooks.
  public var reportedReason: String? {
    guard let reason else { return nil }
    return reason == ExpirationIntent.other.eventReason || reason.hasPrefix(ExpirationIntent.undocumented)
      ? "UNKNOWN" : reason
  }

  public func encode(to encoder: any Encoder) throws {
    try encoder.encode([
      "id": id, "type": type, "appleType": appleName.type.isEmpty ? nil : appleName.type,
      "appleSubtype": appleName.subtype, "reason": reportedReason, "flow": flow?.rawValue,
      "environment": environment, "originalTransactionId": originalTransactionID,
      "transactionId": transactionID, "productId": productID, "newProductId": newProductID,
      "appUserId": appUserID, "periodType": periodType,
      "effectivePrecision": isExact ? "exact" : "interval", "notificationType": notificationType,
      "source": isNotifiedOnly ? "notification" : "validation", "currency": price?.currency,
      "storefront": storefront, "effectiveAtMs": effectiveAt, "observedAtMs": observedAt,
      "observedAfterMs": observedAfter, "notifiedAtMs": notifiedAt, "isFamilyShare": isFamilyShare,
      "isTrialConversion": isTrialConversion, "detectionLagMs": detectionLag, "priceMicros": price?.micros,
    ])
  }

  public var takesBack: Bool { type == .revoke || (type == .cancellation && reason == "CUSTOMER_SUPPORT") }
}

extension SignedTerms {
  fileprivate func partialRefund(of price: Money, movedBy event: LineEvent) -> Money? {
    switch event.type {
    case .cancellation: return partialRefund(of: price, cancelled: event.effectiveAt)
    case .refundReversed:
      let known = revocations.filter { $0.signedAt <= event.effectiveAt }
      let reversed = known.last ?? revocations.first { $0.date <= event.effectiveAt }
      return reversed.flatMap { partialRefund(of: price, cancelled: $0.date) }
    default: return nil
    }
  }
}
