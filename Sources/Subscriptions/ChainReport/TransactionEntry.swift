/// One transaction, with values derived from its line and from the catalog.
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
  /// Period of the price; the period of an offer may differ from the product's.
  @ExplicitNull public var pricePeriod: Period? = nil
  @ExplicitNull public var monthlyMicros: Int64? = nil
  @ExplicitNull public var proratedRefundMicros: Int64? = nil
  /// Apple's share in whole percent; null for trials, shared lines and one-time purchases.
  @ExplicitNull public var commissionPercent: Int? = nil
  @ExplicitNull public var proceedsMicros: Int64? = nil
  /// Standard period in the catalog.
  @ExplicitNull public var productPeriod: Period? = nil
  @ExplicitNull public var productLevel: Int? = nil
  @ExplicitNull public var arrival: Arrival? = nil
  @ExplicitNull public var outcome: PeriodOutcome? = nil
  @ExplicitNull public var changedFromProductId: ProductID? = nil
  @ExplicitNull public var changeDirection: ChangeDirection? = nil
  @ExplicitNull public var promotionalOfferId: String? = nil
  @ExplicitNull public var offerCodeRefName: String? = nil
  @ExplicitNull public var priceSource: PriceSource? = nil
  /// Time of Apple's signature; null if the transaction is known only from receipts.
  @ExplicitNull public var signedAtMs: Instant? = nil
  @ExplicitNull public var storefront: StorefrontCode? = nil
  @ExplicitNull public var transactionReason: String? = nil
  @ExplicitNull public var offerType: Int64? = nil
  @ExplicitNull public var offerPeriod: String? = nil
  @ExplicitNull public var winBackOfferId: String? = nil
  @ExplicitNull public var billingPlanType: String? = nil
  @ExplicitNull public var commitment: Commitment? = nil
  @ExplicitNull public var appTransactionId: String? = nil
  @ExplicitNull public var appAccountToken: String? = nil
  @ExplicitNull public var revocationType: String? = nil
  /// Refunded share in thousandths of a percent, as signed by Apple.
  @ExplicitNull public var revocationPercentage: Int64? = nil
  @ExplicitNull public var partialRefundMicros: Int64? = nil
  public var inAppOwnershipType: String
  public var quantity: Int64
  @ExplicitNull public var firstObservedAtMs: Instant? = nil
  @ExplicitNull public var webOrderLineItemId: WebOrderLineItemID? = nil
  public var alsoTransactionIds: [TransactionID]
  public var endsHistory: [EndsEntry]
}

/// Version of a transaction's end, with the instants of the first and last validation that showed it.
public struct EndsEntry: Hashable, Sendable, Encodable {
  public var fromMs: Instant
  public var throughMs: Instant
  @ExplicitNull public var expiresMs: Instant? = nil
  @ExplicitNull public var cancellationMs: Instant? = nil
  public var upgraded: Bool
}

extension TransactionEntry {
  init(_ row: Row, of line: Line, _ context: ChainContext) {
    let commission = line.isFamilyShared ? nil : row.commission(app: line.bundleID, program: context.program)
    self.init(
      row, kind: row.kind.rawValue, price: row.price, partialRefund: row.partialRefund, row, commission,
      context.catalog)
  }

  init(oneTime purchase: Purchase) {
    let transaction = purchase.transaction
    self.init(
      purchase, kind: "one_time",
      price: transaction.oneTimePrice.map { Price(amount: $0, period: nil, isSigned: true) },
      partialRefund: transaction.oneTimePartialRefund)
  }

  private init(
    _ purchase: some RefundablePurchase, kind: String, price: Price?, partialRefund: Money?,
    _ row: Row? = nil, _ commission: Commission? = nil, _ catalog: Catalog? = nil
  ) {
    let transaction = purchase.transaction
    let (terms, upgrade) = (transaction.terms, row?.upgrade)
    let revocation = terms?.revocations.last { $0.date == transaction.cancellationDate }
    let ends = purchase.endsHistory.map {
      EndsEntry(
        fromMs: $0.from, throughMs: $0.through, expiresMs: $0.ends.expiresDate,
        cancellationMs: $0.ends.cancellationDate, upgraded: $0.ends.isUpgraded)
    }
    let isTakenBack = transaction.cancellationDate != nil && !transaction.isUpgraded
    self.init(
      transactionId: transaction.transactionID, productId: transaction.productID, kind: kind,
      purchaseMs: transaction.purchaseDate, expiresMs: transaction.expiresDate,
      effectiveEndMs: row?.effectiveEnd, cancellationMs: transaction.cancellationDate,
      cancellationReason: transaction.cancellationReason,
      refunded: isTakenBack && !transaction.inAppOwnershipType.isShared, upgraded: transaction.isUpgraded,
      upgradedAtMs: upgrade?.instant, upgradeConfirmed: upgrade?.isConfirmed,
      upgradeDirection: upgrade?.direction, successorTransactionId: upgrade?.successorID,
      successorProductId: upgrade?.successorProductID, priceMicros: price?.amount.single,
      currency: price?.amount.currency, pricePeriod: price?.period, monthlyMicros: price?.monthlyMicros,
      proratedRefundMicros: upgrade?.proratedRefund?.single, commissionPercent: commission?.percent,
      proceedsMicros: price.flatMap { commission?.proceeds(of: $0.amount).single },
      productPeriod: catalog?.period(of: transaction.productID),
      productLevel: catalog?.level(of: transaction.productID), arrival: row?.arrival, outcome: row?.outcome,
      changedFromProductId: row?.change?.from, changeDirection: row?.change?.direction,
      promotionalOfferId: transaction.promotionalOfferID, offerCodeRefName: transaction.offerCodeRefName,
      priceSource: price?.source, signedAtMs: terms?.signedAt, storefront: terms?.storefront,
      transactionReason: terms?.reason, offerType: terms?.offerType, offerPeriod: terms?.offerPeriod,
      winBackOfferId: terms?.winBackOfferID, billingPlanType: terms?.billingPlan,
      commitment: terms?.commitment, appTransactionId: terms?.appTransactionID,
      appAccountToken: transaction.appAccountToken, revocationType: revocation?.type,
      revocationPercentage: revocation?.percentage, partialRefundMicros: partialRefund?.single,
      inAppOwnershipType: transaction.inAppOwnershipType.rawValue, quantity: transaction.quantity,
      firstObservedAtMs: purchase.sighting?.first, webOrderLineItemId: transaction.webOrderLineItemID,
      alsoTransactionIds: purchase.duplicateIDs, endsHistory: ends)
  }
}

/// Data that a chain's report needs in addition to the chain.
public struct ChainContext: Sendable {
  public var receipts: [ReceiptEntry] = []
  public var catalog: Catalog
  public var program = SmallBusinessProgram.none
  /// Returns the transaction in which a user of the line took an introductory offer of its group, or `nil`.
  public var introOfferUsedBy: @Sendable (LineID) -> TransactionID? = { _ in nil }

  public init(catalog: Catalog) { self.catalog = catalog }
}
