/// Received server notification of version 1, without its password, which has been checked.
public struct ImportedNotification: Sendable {
  /// The store sets `observedAt`.
  public var facts: ServerNotification
  /// Without a request date, all its transactions are treated as lagging.
  public var answer: Answer
  /// `false` before 2020, when bodies described a single transaction.
  public var isUnified: Bool
  public var appUserID: AppUserID?
  public var observedAt: Instant?
  /// Chains in its receipt; empty if there is none, or it is unreadable.
  public var chainsOfReceipt: Set<OriginalTransactionID>
  public var digest: UInt128

  public init(
    facts: ServerNotification, answer: Answer, isUnified: Bool, appUserID: AppUserID? = nil,
    observedAt: Instant? = nil, digest: UInt128,
    chainsOfReceipt: Set<OriginalTransactionID> = []
  ) {
    self.facts = facts
    self.answer = answer
    self.isUnified = isUnified
    self.appUserID = appUserID
    self.observedAt = observedAt
    self.digest = digest
    self.chainsOfReceipt = chainsOfReceipt
  }

  /// - Parameter body: Canonical form, independent of white space and the order of keys.
  public static func digest(of body: String) -> UInt128 {
    var hash = StableHash()
    hash.add(body)
    return hash.value
  }
}

extension ImportedNotification {
  /// Returns the latest instant in it that had passed when Apple sent it, since a body does not contain the
  /// time of sending. Dates after `now` are ignored, since a renewal made ahead of time starts up to 24 h
  /// later.
  public func evidence(by now: Instant) -> Instant? {
    let rows = answer.transactions
    let passed =
      rows.map(\.purchaseDate) + rows.compactMap(\.cancellationDate)
      + [facts.autoRenewStatusChangeDate, facts.cancellationDate, failedExpiry].compactMap(\.self)
    return passed.filter { $0 <= now }.max()
  }

  /// Whether it was sent before the end of a period that is over by now. A body sent later contains the
  /// billing retry flag, the expiration intent or the end of the grace period.
  public func precedesItsExpiry(by now: Instant) -> Bool {
    guard let expiry = lastExpiry, expiry <= now else { return false }
    return facts.type.isToldByItsTransaction
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

  public var asksForValidation: Bool { !isUnified || !facts.type.isToldByItsTransaction }
}

extension NotificationType {
  var isToldByItsTransaction: Bool {
    [.initialBuy, .didRenew, .renewal, .didRecover, .interactiveRenewal].contains(self)
  }

  public var isTakenBack: Bool { [.cancel, .refund, .revoke].contains(self) }
}
