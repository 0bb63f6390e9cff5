/// A server notification of version 1 that somebody received: *App Store Server Notifications › responseBodyV1*.
///
/// Whoever makes one has checked its password, and forgotten it.
public struct ImportedNotification: Sendable {
  /// What it tells of its chain; when that was observed is settled where it is kept.
  public var facts: ServerNotification
  /// What it carries of the receipt. Without a clock of its own all of its transactions lag.
  public var answer: Answer
  /// Whether it carries a `unified_receipt`, as bodies from before 2020 do not; those speak of one transaction.
  public var isUnified: Bool
  public var appUserID: AppUserID?
  /// When it was received, by whoever kept it.
  public var observedAt: Instant?
  /// The chains that the receipt in it shows itself; empty where there is none, or nothing can be read of it.
  public var chainsOfReceipt: Set<OriginalTransactionID>
  /// Tells one notification from another: `digest(of:)` its body without the password.
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

  /// FNV-1a over 128 bits.
  ///
  /// - Parameter body: in a form that white space and the order of keys do not change.
  public static func digest(of body: String) -> UInt128 {
    var hash = StableHash()
    hash.add(body)
    return hash.value
  }
}

extension ImportedNotification {
  /// The latest of the instants in it that had passed when Apple sent it: a body says neither when it was sent nor in
  /// which order it belongs. Nil where it holds none.
  ///
  /// - Parameter now: dates ahead of it have not passed; a renewal made ahead of time starts up to 24 h later.
  public func evidence(by now: Instant) -> Instant? {
    let rows = answer.transactions
    let passed =
      rows.map(\.purchaseDate) + rows.compactMap(\.cancellationDate)
      + [facts.autoRenewStatusChangeDate, facts.cancellationDate, failedExpiry].compactMap(\.self)
    return passed.filter { $0 <= now }.max()
  }

  /// Whether it was sent before the end of a period that is over by now: a body that knows of the end says whether Apple
  /// still tries to bill and why not, and a purchase is told of when it is made.
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

  /// The end of the chain's last period that was neither refunded nor upgraded.
  private var lastExpiry: Instant? {
    answer.transactions.filter {
      $0.originalTransactionID == facts.originalTransactionID && $0.cancellationDate == nil && !$0.isUpgraded
    }.compactMap(\.expiresDate).max()
  }

  /// Whether the receipt is to be asked about at once: unless the whole news is the transaction that it carries.
  public var asksForValidation: Bool { !isUnified || !facts.type.isToldByItsTransaction }
}

extension NotificationType {
  /// Whether the transaction that comes with it is all of its news.
  var isToldByItsTransaction: Bool {
    [.initialBuy, .didRenew, .renewal, .didRecover, .interactiveRenewal].contains(self)
  }

  /// Whether it tells that something was taken back.
  public var isTakenBack: Bool { [.cancel, .refund, .revoke].contains(self) }
}
