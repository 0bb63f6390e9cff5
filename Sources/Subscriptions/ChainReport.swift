/// One chain with everything that decided its state: what `chain` prints and the chain view shows.
public struct ChainReport: Hashable, Sendable, Encodable {
  public struct Receipt: Hashable, Sendable, Encodable {
    public var id: ReceiptID
    @ExplicitNull public var environment: StoreEnvironment? = nil
    @ExplicitNull public var bundleId: BundleID? = nil
    @ExplicitNull public var lastValidatedAtMs: Instant? = nil
    @ExplicitNull public var lastStatus: Int? = nil
    @ExplicitNull public var nextDueAtMs: Instant? = nil

    public init(
      id: ReceiptID, environment: StoreEnvironment?, bundleId: BundleID?, lastValidatedAtMs: Instant?,
      lastStatus: Int?, nextDueAtMs: Instant?
    ) {
      self.id = id
      self.environment = environment
      self.bundleId = bundleId
      self.lastValidatedAtMs = lastValidatedAtMs
      self.lastStatus = lastStatus
      self.nextDueAtMs = nextDueAtMs
    }
  }

  public var originalTransactionId: OriginalTransactionID
  public var environment: StoreEnvironment
  @ExplicitNull public var bundleId: BundleID? = nil
  public var appUserIds: [AppUserID]
  /// Apple's clock at the last answer that covered the chain.
  @ExplicitNull public var validatedAtMs: Instant? = nil
  /// When status 21010 said that the account is gone.
  @ExplicitNull public var goneAtMs: Instant? = nil
  public var receipts: [Receipt]
  public var lines: [LineEntry]
  public var oneTime: [TransactionEntry]
  public var notifications: [NotificationEntry]
  /// What happened to the chain apart from its lines.
  public var events: [LineEvent]
}

extension ChainReport {
  /// What a chain's report needs besides the chain.
  public struct Surroundings: Sendable {
    public var receipts: [Receipt] = []
    public var catalog: Catalog
    public var program = SmallBusinessProgram.none
    /// The transaction with which the line's users used up the introductory offer of its group, if any.
    public var introOfferUsedBy: @Sendable (LineID) -> TransactionID? = { _ in nil }

    public init(catalog: Catalog) { self.catalog = catalog }
  }

  /// The chain as judged at an instant.
  public init(_ chain: Chain, _ surroundings: Surroundings, at t: Instant) {
    originalTransactionId = chain.originalTransactionID
    environment = chain.environment
    bundleId = chain.bundleID
    appUserIds = chain.users.sorted()
    validatedAtMs = chain.validatedAt
    goneAtMs = chain.goneAt
    receipts = surroundings.receipts
    lines = chain.lines(catalog: surroundings.catalog).compactMap { LineEntry($0, surroundings, at: t) }
    oneTime = chain.oneTime.map { TransactionEntry(oneTime: $0, seen: chain.sightings[$0.transactionID]) }
    notifications = chain.notifications.sorted(by: ServerNotification.inOrder).map(NotificationEntry.init)
    events = chain.ownEvents.filter { $0.effectiveAt <= t }.sorted(by: LineEvent.newestFirst)
  }
}
