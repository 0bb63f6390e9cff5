/// One chain with everything that decided its state: what `chain` prints and the chain view shows.
public struct ChainReport: Hashable, Sendable, Encodable {
  public struct Receipt: Hashable, Sendable, Encodable {
    public var id: ReceiptID
    @ExplicitNull public var environment: StoreEnvironment?
    @ExplicitNull public var bundleId: BundleID?
    @ExplicitNull public var lastValidatedAtMs: Instant?
    @ExplicitNull public var lastStatus: Int?
    @ExplicitNull public var nextDueAtMs: Instant?

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

  public struct LineEntry: Hashable, Sendable, Encodable {
    @ExplicitNull public var subscriptionGroupId: SubscriptionGroupID?
    public var state: LineState
    public var why: String
    public var accessUntilMs: Instant
    public var productId: ProductID
    @ExplicitNull public var autoRenew: Bool?
    @ExplicitNull public var expirationIntent: String?
    public var priceConsentPending: Bool
    public var changePending: Bool
    public var familyShared: Bool
    public var transactions: [TransactionEntry]
    public var renewalInfos: [RenewalEntry]
    public var events: [LineEvent]
  }

  public struct TransactionEntry: Hashable, Sendable, Encodable {
    public var transactionId: TransactionID
    public var productId: ProductID
    /// `trial`, `intro`, `code`, `promo`, `standard`; `one_time` for what is not auto-renewable.
    public var kind: String
    public var purchaseMs: Instant
    @ExplicitNull public var expiresMs: Instant?
    @ExplicitNull public var effectiveEndMs: Instant?
    @ExplicitNull public var cancellationMs: Instant?
    public var refunded: Bool
    public var upgraded: Bool
    @ExplicitNull public var upgradedAtMs: Instant?
    @ExplicitNull public var upgradeConfirmed: Bool?
    @ExplicitNull public var priceMicros: Int64?
    @ExplicitNull public var currency: CurrencyCode?
    @ExplicitNull public var proratedRefundMicros: Int64?
    @ExplicitNull public var webOrderLineItemId: WebOrderLineItemID?
    /// Other ids under which Apple reported the same purchase.
    public var alsoTransactionIds: [TransactionID]
  }

  public struct RenewalEntry: Hashable, Sendable, Encodable {
    @ExplicitNull public var observedAfterMs: Instant?
    public var observedAtMs: Instant
    @ExplicitNull public var productId: ProductID?
    @ExplicitNull public var autoRenewProductId: ProductID?
    @ExplicitNull public var autoRenewStatus: Bool?
    @ExplicitNull public var expirationIntent: String?
    @ExplicitNull public var isInBillingRetryPeriod: Bool?
    @ExplicitNull public var gracePeriodExpiresDateMs: Instant?
    @ExplicitNull public var priceConsentStatus: String?
    @ExplicitNull public var priceIncreaseStatus: String?
    @ExplicitNull public var promotionalOfferId: String?
    @ExplicitNull public var offerCodeRefName: String?
  }

  public var originalTransactionId: OriginalTransactionID
  public var environment: StoreEnvironment
  public var appUserIds: [AppUserID]
  public var receipts: [Receipt]
  public var lines: [LineEntry]
  public var oneTime: [TransactionEntry]
}

extension ChainReport {
  /// The chain as judged at an instant.
  public init(_ chain: Chain, receipts: [Receipt], catalog: Catalog, at t: Instant) {
    originalTransactionId = chain.originalTransactionID
    environment = chain.environment
    appUserIds = chain.users.sorted()
    self.receipts = receipts
    lines = chain.lines(catalog: catalog).compactMap { LineEntry($0, at: t) }
    oneTime = chain.oneTime.map(TransactionEntry.init(oneTime:))
  }
}

extension ChainReport.LineEntry {
  init?(_ line: Line, at t: Instant) {
    guard let verdict = line.verdict(at: t) else { return nil }
    subscriptionGroupId = line.id.subscriptionGroupID
    state = verdict.state
    why = "\(verdict.state.rawValue): \(verdict.why)"
    accessUntilMs = verdict.accessUntil
    productId = verdict.current.productID
    autoRenew = verdict.autoRenew
    expirationIntent = verdict.expirationIntent?.rawValue
    priceConsentPending = verdict.priceConsentPending
    changePending = verdict.changePending
    familyShared = line.isFamilyShared
    transactions = line.rows.map(ChainReport.TransactionEntry.init)
    renewalInfos = line.renewals.map(ChainReport.RenewalEntry.init)
    events = line.events.filter { $0.effectiveAtMs <= t }.sorted(by: LineEvent.newestFirst)
  }
}

extension ChainReport.TransactionEntry {
  init(_ row: Row) {
    self.init(row.transaction, kind: row.kind.rawValue)
    effectiveEndMs = row.effectiveEnd
    refunded = row.isRefund
    upgradedAtMs = row.upgrade?.instant
    upgradeConfirmed = row.upgrade?.isConfirmed
    priceMicros = row.price?.amount.micros
    currency = row.price?.amount.currency
    proratedRefundMicros = row.upgrade?.proratedRefund?.micros
    alsoTransactionIds = row.duplicateIDs
  }

  init(oneTime transaction: Transaction) {
    self.init(transaction, kind: "one_time")
  }

  private init(_ transaction: Transaction, kind: String) {
    transactionId = transaction.transactionID
    productId = transaction.productID
    self.kind = kind
    purchaseMs = transaction.purchaseDate
    expiresMs = transaction.expiresDate
    cancellationMs = transaction.cancellationDate
    refunded = transaction.cancellationDate != nil && !transaction.isUpgraded
    upgraded = transaction.isUpgraded
    webOrderLineItemId = transaction.webOrderLineItemID
    alsoTransactionIds = []
  }
}

extension ChainReport.RenewalEntry {
  init(_ observation: RenewalObservation) {
    let info = observation.info
    observedAfterMs = observation.observedAfter
    observedAtMs = observation.observedAt
    productId = info.productID
    autoRenewProductId = info.autoRenewProductID
    autoRenewStatus = info.autoRenewStatus
    expirationIntent = info.expirationIntent?.rawValue
    isInBillingRetryPeriod = info.isInBillingRetryPeriod
    gracePeriodExpiresDateMs = info.gracePeriodExpiresDate
    priceConsentStatus = info.priceConsentStatus
    priceIncreaseStatus = info.priceIncreaseStatus
    promotionalOfferId = info.promotionalOfferID
    offerCodeRefName = info.offerCodeRefName
  }
}
