import Subscriptions

/// The derived columns of a transaction: what the rest of its line and the catalogue say of it.
struct DerivedFacts: Hashable {
  var lineID: Int64?
  var duplicateOf: Int64?
  var kind: PeriodKind?
  var priceMicros: Int64?
  var currency: CurrencyCode?
  var monthlyMicros: Int64?
  /// Of the purchase, which may stand on another id of it.
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
  /// Of a paid row that came due: METRICS §4, Period of a row.
  var period: String?
  var changeDirection: ChangeDirection?
  var changedFromProductID: ProductID?
  var arrival: Arrival?
  var isPastFirstYear: Bool?
  /// Of the receipts that hold the chain; tells who is in the Small Business Program.
  var app: BundleID?
  /// The cancellation date, which may stand on another id of the same purchase.
  var cancelledAt: Instant?
  /// Whether Apple signed the price.
  var isPriceSigned: Bool?
  var storefront: StorefrontCode?
  /// Of a refund of less than the whole price.
  var partialRefundMicros: Int64?

  /// A one-time purchase has none but its refund.
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

  /// Another id of a purchase that is counted elsewhere.
  init(duplicateOf row: Int64) { duplicateOf = row }

  /// Without its line.
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
