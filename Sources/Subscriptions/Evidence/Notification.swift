/// Apple's *notification_type* (version 1) or *notificationType* (version 2); unknown types are preserved.
public struct NotificationType: TextIdentifier {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

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

  var isShownByTransaction: Bool {
    [.initialBuy, .didRenew, .renewal, .didRecover, .interactiveRenewal].contains(self)
  }

  public var isTakenBack: Bool { [.cancel, .refund, .revoke].contains(self) }
}

/// Types that only notifications of version 2 have.
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

/// Content of a notification about one chain, without the answer that the notification contains.
public struct ServerNotification: Hashable, Sendable, Encodable {
  public var type: NotificationType
  /// Apple's subtype, which only notifications of version 2 have.
  @ExplicitNull public var subtype: String?
  /// Whether the notification is of version 2.
  public var isSigned = false
  public var environment: StoreEnvironment
  public var originalTransactionID: OriginalTransactionID
  /// Transaction that the notification is about; if version 1 names none, it is chosen from the body.
  @ExplicitNull public var transactionID: TransactionID?
  @ExplicitNull public var productID: ProductID?
  @ExplicitNull public var autoRenewProductID: ProductID?
  @ExplicitNull public var autoRenewStatus: Bool?
  /// Instant at which auto-renew was switched, which answers do not contain.
  @ExplicitNull public var autoRenewStatusChangeDate: Instant?
  @ExplicitNull public var cancellationDate: Instant?
  /// Time of Apple's signature; for version 1 the recorded time of arrival, or else the store's estimate.
  public var observedAt: Instant
  /// Apple's attempts to send the notification, oldest first; empty if they were not fetched.
  public var sendAttempts: [SendAttempt] = []

  private enum CodingKeys: String, CodingKey {
    case type, subtype
    case observedAt = "observedAtMs"
    case transactionID = "transactionId"
    case productID = "productId"
    case autoRenewProductID = "autoRenewProductId"
    case autoRenewStatus
    case autoRenewStatusChangeDate = "autoRenewStatusChangeDateMs"
    case cancellationDate = "cancellationDateMs"
    case sendAttempts
  }

  public init(
    type: NotificationType, environment: StoreEnvironment, originalTransactionID: OriginalTransactionID,
    observedAt: Instant
  ) {
    (self.type, self.environment) = (type, environment)
    (self.originalTransactionID, self.observedAt) = (originalTransactionID, observedAt)
  }
  static func inOrder(_ left: Self, _ right: Self) -> Bool {
    if left.observedAt != right.observedAt { return left.observedAt < right.observedAt }
    if left.type != right.type { return left.type < right.type }
    if left.subtype != right.subtype { return left.subtype ?? "" < right.subtype ?? "" }
    return (left.transactionID ?? TransactionID("")) < (right.transactionID ?? TransactionID(""))
  }

  var switchesOn: Bool? {
    switch subtype {
    case "AUTO_RENEW_ENABLED": true
    case "AUTO_RENEW_DISABLED": false
    default: autoRenewStatus
    }
  }
}

/// Server notification of version 1, after its password was checked and removed.
public struct ImportedNotification: Sendable {
  public var facts: ServerNotification
  /// Answer in the body; all of its transactions are `lagging` if the time of arrival was not recorded.
  public var answer: Answer
  /// Whether the body has a `unified_receipt` with transactions; bodies before 2020 have one transaction.
  public var isUnified: Bool
  public var appUserID: AppUserID?
  public var observedAt: Instant?
  /// Chains in the body's receipt; empty if the receipt is unreadable or lacks the notification's chain.
  public var chainsOfReceipt: Set<OriginalTransactionID>
  public var digest: UInt128

  public init(
    facts: ServerNotification, answer: Answer, isUnified: Bool, appUserID: AppUserID? = nil,
    observedAt: Instant? = nil, digest: UInt128, chainsOfReceipt: Set<OriginalTransactionID> = []
  ) {
    (self.facts, self.answer, self.isUnified) = (facts, answer, isUnified)
    (self.appUserID, self.observedAt, self.digest) = (appUserID, observedAt, digest)
    self.chainsOfReceipt = chainsOfReceipt
  }

  /// Returns the digest of a body, whose white space and order of keys must be canonical.
  public static func digest(of body: String) -> UInt128 {
    var hash = StableHash()
    hash.add(body)
    return hash.value
  }

  /// Estimates the time of sending, which is not in the body, by the body's newest date up to `now`, if any.
  ///
  /// Dates after `now` occur, because a renewal that Apple created ahead of time starts up to 24 h later.
  public func evidence(by now: Instant) -> Instant? {
    let rows = answer.transactions
    let passed =
      rows.map(\.purchaseDate) + rows.compactMap(\.cancellationDate)
      + [facts.autoRenewStatusChangeDate, facts.cancellationDate, failedExpiry].compactMap(\.self)
    return passed.filter { $0 <= now }.max()
  }

  /// Whether the last period had ended by `now`, but the notification was sent before that end.
  ///
  /// Notifications of purchases and renewals are sent before it. So are those with renewal infos, if no info
  /// has a billing retry flag, an expiration intent or a grace date, which Apple adds after the end.
  public func precedesItsExpiry(by now: Instant) -> Bool {
    guard let expiry = lastExpiry, expiry <= now else { return false }
    return facts.type.isShownByTransaction
      || (!infos.isEmpty
        && infos.allSatisfy {
          $0.isInBillingRetryPeriod == nil && $0.expirationIntent == nil && $0.gracePeriodExpiresDate == nil
        })
  }

  private var failedExpiry: Instant? {
    infos.contains { $0.isInBillingRetryPeriod == true || $0.expirationIntent != nil } ? lastExpiry : nil
  }

  private var infos: [RenewalInfo] {
    answer.renewalInfos.filter {
      ($0.originalTransactionID ?? facts.originalTransactionID) == facts.originalTransactionID
    }
  }

  /// Expiry of the chain's last period that was neither refunded nor upgraded.
  private var lastExpiry: Instant? {
    answer.transactions.filter {
      $0.originalTransactionID == facts.originalTransactionID && $0.cancellationDate == nil && !$0.isUpgraded
    }.compactMap(\.expiresDate).max()
  }

  public var asksForValidation: Bool { !isUnified || !facts.type.isShownByTransaction }
}
