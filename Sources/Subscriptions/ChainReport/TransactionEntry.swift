/// One transaction, with what the rest of its line and the catalogue say of it.
public struct TransactionEntry: Hashable, Sendable, Encodable {
  public var transactionId: TransactionID
  public var productId: ProductID
  /// `trial`, `intro`, `code`, `promo`, `winback`, `standard`; `one_time` for what is not auto-renewable.
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
  /// What the price is for, which an offer may have other than its product.
  @ExplicitNull public var pricePeriod: Period? = nil
  @ExplicitNull public var monthlyMicros: Int64? = nil
  @ExplicitNull public var proratedRefundMicros: Int64? = nil
  /// Apple's share in whole percent; null for a trial and for what is not auto-renewable.
  @ExplicitNull public var commissionPercent: Int? = nil
  @ExplicitNull public var proceedsMicros: Int64? = nil
  /// The product's standard period and level by the catalogue.
  @ExplicitNull public var productPeriod: Period? = nil
  @ExplicitNull public var productLevel: Int? = nil
  @ExplicitNull public var arrival: Arrival? = nil
  @ExplicitNull public var outcome: PeriodOutcome? = nil
  @ExplicitNull public var changedFromProductId: ProductID? = nil
  @ExplicitNull public var changeDirection: ChangeDirection? = nil
  @ExplicitNull public var promotionalOfferId: String? = nil
  @ExplicitNull public var offerCodeRefName: String? = nil
  /// `signed` by Apple or of the `catalogue`; null where it is unpriced.
  @ExplicitNull public var priceSource: PriceSource? = nil
  /// Apple's clock at the newest signature; null where receipts alone told of it.
  @ExplicitNull public var signedAtMs: Instant? = nil
  @ExplicitNull public var storefront: StorefrontCode? = nil
  @ExplicitNull public var transactionReason: String? = nil
  /// 1 introductory, 2 promotional, 3 offer code, 4 win-back, as Apple signed it.
  @ExplicitNull public var offerType: Int64? = nil
  @ExplicitNull public var offerPeriod: String? = nil
  @ExplicitNull public var winBackOfferId: String? = nil
  @ExplicitNull public var billingPlanType: String? = nil
  /// Of which month of a yearly commitment it is; null of any other plan.
  @ExplicitNull public var commitment: CommitmentEntry? = nil
  @ExplicitNull public var appTransactionId: String? = nil
  /// How the app names its user to Apple.
  @ExplicitNull public var appAccountToken: String? = nil
  @ExplicitNull public var revocationType: String? = nil
  /// In thousandths of a percent, as Apple tells it.
  @ExplicitNull public var revocationPercentage: Int64? = nil
  /// What was given back where it was not the whole price.
  @ExplicitNull public var partialRefundMicros: Int64? = nil
  public var inAppOwnershipType: String
  public var quantity: Int64
  @ExplicitNull public var firstObservedAtMs: Instant? = nil
  @ExplicitNull public var webOrderLineItemId: WebOrderLineItemID? = nil
  /// Other ids under which Apple reported the same purchase.
  public var alsoTransactionIds: [TransactionID]
  /// What Apple said of the end, as it changed, the present last; empty where it never did.
  public var endsHistory: [EndsEntry]
}

/// *JWSTransactionDecodedPayload › commitmentInfo*.
public struct CommitmentEntry: Hashable, Sendable, Encodable {
  @ExplicitNull public var billingPeriodNumber: Int64?
  @ExplicitNull public var totalBillingPeriods: Int64?
  @ExplicitNull public var expiresMs: Instant?
  /// What all of it costs, in the currency of the transaction.
  @ExplicitNull public var priceMicros: Int64?

  init(_ commitment: Commitment) {
    billingPeriodNumber = commitment.billingPeriodNumber
    totalBillingPeriods = commitment.totalBillingPeriods
    expiresMs = commitment.expires
    priceMicros = commitment.priceMicros
  }
}

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
    // A family member pays nothing.
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
