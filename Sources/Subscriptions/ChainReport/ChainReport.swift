/// One chain with everything that decided its state: what `chain` prints and the chain view shows.
public struct ChainReport: Hashable, Sendable, Encodable {
  public var originalTransactionId: OriginalTransactionID
  public var environment: StoreEnvironment
  @ExplicitNull public var bundleId: BundleID? = nil
  public var appUserIds: [AppUserID]
  /// How the app names its user to Apple, on the newest transaction that does.
  @ExplicitNull public var appAccountToken: String? = nil
  /// Apple's clock at the last answer that covered the chain.
  @ExplicitNull public var validatedAtMs: Instant? = nil
  /// Every answer that covered the chain, oldest first.
  public var validations: [ValidationEntry]
  /// When status 21010 said that the account is gone.
  @ExplicitNull public var goneAtMs: Instant? = nil
  public var receipts: [ReceiptEntry]
  public var lines: [LineEntry]
  public var oneTime: [TransactionEntry]
  public var notifications: [NotificationEntry]
  /// What happened to the chain apart from its lines.
  public var events: [LineEvent]
}

extension ChainReport {
  /// The chain as judged at an instant.
  public init(_ chain: Chain, _ context: ChainContext, at t: Instant) {
    originalTransactionId = chain.originalTransactionID
    environment = chain.environment
    bundleId = chain.bundleID
    appUserIds = chain.users.sorted()
    appAccountToken =
      chain.transactions.filter { $0.appAccountToken != nil }.max(by: Transaction.inOrder)?
      .appAccountToken
    validatedAtMs = chain.validatedAt
    let withRenewals = Set(chain.renewalValidations)
    validations = chain.validations.map {
      ValidationEntry(atMs: $0, hasRenewalInfos: withRenewals.contains($0))
    }
    goneAtMs = chain.goneAt
    receipts = context.receipts
    lines = chain.lines(catalog: context.catalog).compactMap { LineEntry($0, context, at: t) }
    oneTime = chain.oneTimePurchases.map(TransactionEntry.init(oneTime:))
    notifications = chain.notifications.sorted(by: ServerNotification.inOrder).map(NotificationEntry.init)
    events = chain.ownEvents.filter { $0.effectiveAt <= t }.sorted(by: LineEvent.newestFirst)
  }
}

/// When the chain was asked about, and whether the answer had a `pending_renewal_info` for it.
public struct ValidationEntry: Hashable, Sendable, Encodable {
  public var atMs: Instant
  public var hasRenewalInfos: Bool
}
