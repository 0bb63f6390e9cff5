/// Report about one chain and the evidence for its state, for the command `chain` and the chain view.
public struct ChainReport: Hashable, Sendable, Encodable {
  public var originalTransactionId: OriginalTransactionID
  public var environment: StoreEnvironment
  @ExplicitNull public var bundleId: BundleID? = nil
  public var appUserIds: [AppUserID]
  /// Token of the newest transaction that has one.
  @ExplicitNull public var appAccountToken: String? = nil
  @ExplicitNull public var validatedAtMs: Instant? = nil
  public var validations: [ValidationEntry]
  @ExplicitNull public var goneAtMs: Instant? = nil
  public var receipts: [ReceiptEntry]
  public var lines: [LineEntry]
  public var oneTime: [TransactionEntry]
  public var notifications: [ServerNotification]
  /// Events of the chain that belong to no line.
  public var events: [LineEvent]
}

extension ChainReport {
  public init(_ chain: Chain, _ context: ChainContext, at t: Instant) {
    let withRenewals = Set(chain.renewalValidations)
    let named = chain.transactions.filter { $0.appAccountToken != nil }.max(by: Transaction.inOrder)
    self.init(
      originalTransactionId: chain.originalTransactionID, environment: chain.environment,
      bundleId: chain.bundleID, appUserIds: chain.users.sorted(), appAccountToken: named?.appAccountToken,
      validatedAtMs: chain.validatedAt,
      validations: chain.validations.map {
        ValidationEntry(atMs: $0, hasRenewalInfos: withRenewals.contains($0))
      }, goneAtMs: chain.goneAt, receipts: context.receipts,
      lines: chain.lines(catalog: context.catalog).compactMap { LineEntry($0, context, at: t) },
      oneTime: chain.oneTimePurchases.map(TransactionEntry.init(oneTime:)),
      notifications: chain.notifications.sorted(by: ServerNotification.inOrder),
      events: chain.ownEvents.filter { $0.effectiveAt <= t }.sorted(by: LineEvent.newestFirst))
  }
}

/// Validation of the chain, and whether Apple's answer had renewal infos.
public struct ValidationEntry: Hashable, Sendable, Encodable {
  public var atMs: Instant
  public var hasRenewalInfos: Bool
}
