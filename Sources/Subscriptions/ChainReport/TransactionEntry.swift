/// One transaction, with values derived from its line and from the catalogue.
public struct TransactionEntry: Hashable, Sendable, Encodable {
  public var transactionId: TransactionID
  public var productId: ProductID
  /// `trial`, `intro`, `code`, `promo`, `winback` or `standard`; `one_time` if it is not auto-renewable.
  public var kind: String
  public var purchaseMs: Instant
  @ExplicitNull public var expiresMs: Instant? = nil
  @ExplicitNull public var effectiveEndMs: Instant? = nil
  @ExplicitNull public var cancellationMs: Instant? = nil
  @ExplicitNull public var cancellationReason: String? = nil
  public var refunded: Bool
  public var upgraded: Bool
  @ExplicitNull public var upgradedAtMs: Instant? = nil
  @ExplicitNull public var upgradeConfirmed: Bool? = nil
  @ExplicitNull public var upgradeDirection: ChangeDirection? = nil
  @ExplicitNull public var successorTransactionId: TransactionID? = nil
  @ExplicitNull public var successorProductId: ProductID? = nil
  @ExplicitNull public var priceMicros: Int64? = nil
  @ExplicitNull public var currency: CurrencyCode? = nil
  /// An offer's period may differ from its product's.
  @ExplicitNull public var pricePeriod: Period? = nil
  @ExplicitNull public var monthlyMicros: Int64? = nil
  @ExplicitNull public var proratedRefundMicros: Int64? = nil
  /// Apple's share in whole percent; null for trials and one-time purchases.
  @ExplicitNull public var commissionPercent: Int? = nil
  @ExplicitNull public var proceedsMicros: Int64? = nil
  /// Standard period in the catalogue.
  @ExplicitNull public var productPeriod: Period? = nil
  @ExplicitNull public var productLevel: Int? = nil
  @ExplicitNull public var arrival: Arrival? = nil
  @ExplicitNull public var outcome: PeriodOutcome? = nil
  @ExplicitNull public var changedFromProductId: ProductID? = nil
  @ExplicitNull public var changeDirection: ChangeDirection? = nil
  @ExplicitNull public var promotionalOfferId: String? = nil
  @ExplicitNull public var offerCodeRefName: String? = nil
  /// `signed` or `catalogue`; null if the transaction is unpriced.
  @ExplicitNull public var priceSource: PriceSource? = nil
  /// Apple's time; null if the transaction is known from receipts only.
  @ExplicitNull public var signedAtMs: Instant? = nil
  @ExplicitNull public var storefront: StorefrontCode? = nil
  @ExplicitNull public var transactionReason: String? = nil
  /// 1 introductory, 2 promotional, 3 offer code, 4 win-back.
  @ExplicitNull public var offerType: Int64? = nil
  @ExplicitNull public var offerPeriod: String? = nil
  @ExplicitNull public var winBackOfferId: String? = nil
  @ExplicitNull public var billingPlanType: String? = nil
  @ExplicitNull public var commitment: CommitmentEntry? = nil
  @ExplicitNull public var appTransactionId: String? = nil
  @ExplicitNull public var appAccountToken: String? = nil
  @ExplicitNull public var revocationType: String? = nil
  /// Thousandths of a percent, as signed by Apple.
  @ExplicitNull public var revocationPercentage: Int64? = nil
  /// Refunded amount, if it was not the whole price.
  @ExplicitNull public var partialRefundMicros: Int64? = nil
  public var inAppOwnershipType: String
  public var quantity: Int64
  @ExplicitNull public var firstObservedAtMs: Instant? = nil
  @ExplicitNull public var webOrderLineItemId: WebOrderLineItemID? = nil
  public var alsoTransactionIds: [TransactionID]
  /// Earlier and current ends, oldest first; empty if they never changed.
  public var endsHistory: [EndsEntry]
}

/// Apple's *JWSTransactionDecodedPayload › commitmentInfo*.
public struct CommitmentEntry: Hashable, Sendable, Encodable {
  @ExplicitNull public var billingPeriodNumber: Int64?
  @ExplicitNull public var totalBillingPeriods: Int64?
  @ExplicitNull public var expiresMs: Instant?
  /// Price of the whole commitment.
  @ExplicitNull public var priceMicros: Int64?

  init(_ commitment: Commitment) {
    billingPeriodNumber = commitment.billingPeriodNumber
    totalBillingPeriods = commitment.totalBillingPeriods
    expiresMs = commitment.expires
    priceMicros = commitment.priceMicros
  }
}

/// Ends of a transaction, with the first and last validation that showed them.
public struct EndsEntry: Hashable, Sendable, Encodable {
  public var fromMs: Instant
  public var throughMs: Instant
  @ExplicitNull public var expiresMs: Instant? = nil
  @ExplicitNull public var cancellationMs: Instant? = nil
  public var upgraded: Bool
}

extension TransactionEntry {
  init(_ row: Row, of line: Line, _ context: ChainContext) {
    self.init(row.transaction, kind: row.kind.rawValue, seen: row.sighting)
    effectiveEndMs = row.effectiveEnd
    upgradedAtMs = row.upgrade?.instant
    upgradeConfirmed = row.upgrade?.isConfirmed
    upgradeDirection = row.upgrade?.direction
    successorTransactionId = row.upgrade?.successorID
    successorProductId = row.upgrade?.successorProductID
    priceMicros = row.price?.amount.single
    currency = row.price?.amount.currency
    pricePeriod = row.price?.period
    priceSource = row.price?.source
    partialRefundMicros = row.partialRefund?.single
    monthlyMicros = row.price?.monthlyMicros
    proratedRefundMicros = row.upgrade?.proratedRefund?.single
    let commission =
      line.isFamilyShared ? nil : row.commission(app: line.bundleID, program: context.program)
    commissionPercent = commission?.percent
    proceedsMicros = row.price.flatMap { price in commission?.proceeds(of: price.amount).single }
    productPeriod = context.catalog.period(of: row.productID)
    productLevel = context.catalog.level(of: row.productID)
    arrival = row.arrival
    outcome = row.outcome
    changedFromProductId = row.change?.from
    changeDirection = row.change?.direction
    alsoTransactionIds = row.duplicateIDs
    endsHistory = row.endsHistory.map(EndsEntry.init)
  }

  init(oneTime purchase: Purchase) {
    let transaction = purchase.transaction
    self.init(transaction, kind: "one_time", seen: purchase.sighting)
    alsoTransactionIds = purchase.duplicateIDs
    endsHistory = purchase.endsHistory.map(EndsEntry.init)
    guard let price = transaction.oneTimePrice else { return }
    (priceMicros, currency, priceSource) = (price.single, price.currency, .signed)
    partialRefundMicros = transaction.oneTimePartialRefund?.single
  }

  private init(_ transaction: Transaction, kind: String, seen: Sighting?) {
    transactionId = transaction.transactionID
    productId = transaction.productID
    self.kind = kind
    purchaseMs = transaction.purchaseDate
    expiresMs = transaction.expiresDate
    cancellationMs = transaction.cancellationDate
    cancellationReason = transaction.cancellationReason
    refunded =
      transaction.cancellationDate != nil && !transaction.isUpgraded
      && !transaction.inAppOwnershipType.isShared
    upgraded = transaction.isUpgraded
    promotionalOfferId = transaction.promotionalOfferID
    offerCodeRefName = transaction.offerCodeRefName
    signedAtMs = transaction.terms?.signedAt
    storefront = transaction.terms?.storefront
    transactionReason = transaction.terms?.reason
    offerType = transaction.terms?.offerType
    offerPeriod = transaction.terms?.offerPeriod
    winBackOfferId = transaction.terms?.winBackOfferID
    billingPlanType = transaction.terms?.billingPlan
    appTransactionId = transaction.terms?.appTransactionID
    appAccountToken = transaction.appAccountToken
    if let revocation = transaction.terms?.revocations.last(where: { $0.date == transaction.cancellationDate }
    ) {
      (revocationType, revocationPercentage) = (revocation.type, revocation.percentage)
    }
    commitment = transaction.terms?.commitment.map(CommitmentEntry.init)
    inAppOwnershipType = transaction.inAppOwnershipType.rawValue
    quantity = transaction.quantity
    firstObservedAtMs = seen?.first
    webOrderLineItemId = transaction.webOrderLineItemID
    alsoTransactionIds = []
    endsHistory = []
  }
}

extension EndsEntry {
  init(_ seen: EndsObservation) {
    fromMs = seen.from
    throughMs = seen.through
    expiresMs = seen.ends.expiresDate
    cancellationMs = seen.ends.cancellationDate
    upgraded = seen.ends.isUpgraded
  }
}

/// Data that a chain's report needs in addition to the chain.
public struct ChainContext: Sendable {
  public var receipts: [ReceiptEntry] = []
  public var catalog: Catalog
  public var program = SmallBusinessProgram.none
  /// Transaction that used up a line's introductory offer, for any of its users.
  public var introOfferUsedBy: @Sendable (LineID) -> TransactionID? = { _ in nil }

  public init(catalog: Catalog) { self.catalog = catalog }
}
