import Subscriptions

/// Derived columns of a transaction, which depend on its line and the catalogue.
struct DerivedFacts: Hashable {
  var lineID: Int64?
  var duplicateOf: Int64?
  var kind: PeriodKind?
  var priceMicros: Int64?
  var currency: CurrencyCode?
  var monthlyMicros: Int64?
  /// Expiry of the purchase, which another id of it may have.
  var expires: Instant?
  var effectiveEnd: Instant?
  var refundedAt: Instant?
  var refundReason: String?
  var upgraded: Bool?
  var upgradedAt: Instant?
  var upgradeConfirmed: Bool?
  var upgradeDirection: ChangeDirection?
  var successorProductID: ProductID?
  var proratedRefundMicros: Int64?
  var outcome: PeriodOutcome?
  /// ISO 8601 period of a paid row (METRICS §4, Period of a row).
  var period: String?
  var changeDirection: ChangeDirection?
  var changedFromProductID: ProductID?
  var arrival: Arrival?
  var isPastFirstYear: Bool?
  /// App of the receipts that hold the chain, which decides Small Business Program membership.
  var app: BundleID?
  /// Cancellation date of the purchase, which another id of it may have.
  var cancelledAt: Instant?
  var isPriceSigned: Bool?
  var storefront: StorefrontCode?
  /// Refunded amount, if it is less than the whole price.
  var partialRefundMicros: Int64?

  /// Creates the values of a one-time purchase: only its refund, price and storefront.
  init(oneTime purchase: Transaction?) {
    cancelledAt = purchase?.cancellationDate
    refundReason = purchase?.cancellationReason
    storefront = purchase?.terms?.storefront
    if let price = purchase?.oneTimePrice {
      (priceMicros, currency, isPriceSigned) = (price.single, price.currency, true)
      partialRefundMicros = purchase?.oneTimePartialRefund?.single
    }
  }

  init() {}

  init(duplicateOf row: Int64) { duplicateOf = row }

  init(_ row: Subscriptions.Row, app: BundleID?, catalog: Catalog) {
    kind = row.kind
    priceMicros = row.price?.amount.single
    currency = row.price?.amount.currency
    monthlyMicros = row.price?.monthlyMicros
    (expires, effectiveEnd) = (row.expires, row.effectiveEnd)
    refundedAt = row.isRefund ? row.refundedAt : nil
    refundReason = row.isRefund ? row.transaction.cancellationReason : nil
    upgraded = row.upgrade != nil
    upgradedAt = row.upgrade?.instant
    upgradeConfirmed = row.upgrade?.isConfirmed
    upgradeDirection = row.upgrade?.direction
    successorProductID = row.upgrade?.successorProductID
    proratedRefundMicros = row.upgrade?.proratedRefund?.single
    outcome = row.outcome
    period = row.kind.isPaid ? row.period(catalog)?.iso8601 : nil
    changeDirection = row.change?.direction
    changedFromProductID = row.change?.from
    arrival = row.arrival
    isPastFirstYear = row.isPastFirstYear
    self.app = app
    cancelledAt = row.transaction.cancellationDate
    isPriceSigned = row.price?.isSigned
    storefront = row.storefront
    partialRefundMicros = row.partialRefund?.single
  }
}
