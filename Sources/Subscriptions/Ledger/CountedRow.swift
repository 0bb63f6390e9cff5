/// Attributes of a transaction that determine its facts, read from a derived `Row` or from the store.
public struct CountedRow: Sendable {
  public var environment: StoreEnvironment
  public var product: ProductID
  public var isFamilyShared: Bool
  /// Kind of the period; `nil` for a one-time purchase, and for a duplicate id of a subscription purchase.
  public var kind: PeriodKind?
  public var price: Money?
  public var isPriceSigned = false
  public var storefront: StorefrontCode?
  public var arrival = Arrival.initial
  public var isPastFirstYear = false
  public var isRefunded: Bool
  public var refundReason: String?
  public var app: BundleID?
  public var outcome: PeriodOutcome?
  /// Whether an `unrenewed` period may still be paid for at the instant of the question.
  var isPending = false
  public var period: Period?
  public var change: ChangeDirection?
  public var upgrade: (direction: ChangeDirection, isConfirmed: Bool)?
  public var dates: RowDates

  public init(_ environment: StoreEnvironment, _ product: ProductID, isFamilyShared: Bool, _ dates: RowDates)
  {
    (self.environment, self.product, self.isFamilyShared) = (environment, product, isFamilyShared)
    self.dates = dates
    isRefunded = dates.refunded != nil
  }
}

/// Key path of the date at which a fact of a row is counted.
public typealias RowDate = any KeyPath<RowDates, Instant?> & Sendable

/// Dates of a row, and its refunded amounts.
public struct RowDates: Hashable, Sendable {
  public var purchase: Instant
  public var expires: Instant?
  public var effectiveEnd: Instant?
  public var refunded: Instant?
  public var upgraded: Instant?
  public var cancelled: Instant?
  /// Refund of the unused time after an upgrade, in micros of the price's currency.
  public var proratedRefund: Int64?
  /// Refunded part of the price, in micros; `nil` if the whole price or nothing was refunded.
  public var partialRefund: Int64?

  public init(purchase: Instant) { self.purchase = purchase }

  /// Purchase date as an optional, because a `RowDate` leads to an optional.
  var bought: Instant? { purchase }
}

extension CountedRow {
  /// Reads a row with refund and pending state at `t`; if `nil`, all refunds count, and no row is pending.
  init(_ row: Row, of line: Line, _ catalog: Catalog, at t: Instant? = nil) {
    var dates = RowDates(purchase: row.purchase)
    (dates.expires, dates.effectiveEnd) = (row.expires, row.effectiveEnd)
    (dates.refunded, dates.upgraded) = (row.isRefund ? row.refundedAt : nil, row.upgrade?.instant)
    dates.cancelled = row.transaction.cancellationDate
    (dates.proratedRefund, dates.partialRefund) = (
      row.upgrade?.proratedRefund?.single, row.partialRefund?.single
    )
    self.init(line.id.environment, row.productID, isFamilyShared: line.isFamilyShared, dates)
    (kind, app, storefront) = (row.kind, line.bundleID, row.storefront)
    (price, isPriceSigned) = (row.price?.amount, row.price?.isSigned ?? false)
    (arrival, isPastFirstYear) = (row.arrival, row.isPastFirstYear)
    refundReason = row.isRefund ? row.transaction.cancellationReason : nil
    (outcome, period) = (row.outcome, row.kind.isPaid ? row.period(catalog) : nil)
    change = row.change?.direction
    upgrade = row.upgrade.map { ($0.direction, isConfirmed: $0.isConfirmed) }
    guard let t else { return }
    isRefunded = row.isRefund && row.isDead(at: t)
    isPending = line.mayYetPay(for: row, at: t)
  }

  init(oneTime purchase: OneTimePurchase) {
    let transaction = purchase.transaction
    var dates = RowDates(purchase: transaction.purchaseDate)
    dates.cancelled = transaction.cancellationDate
    self.init(
      purchase.environment, transaction.productID, isFamilyShared: transaction.inAppOwnershipType.isShared,
      dates)
    refundReason = transaction.cancellationReason
  }
}

extension Line {
  /// Whether the renewal of a row is pending at an instant (METRICS §5, Renewals).
  ///
  /// That is the case if the row is the current row, and the state is grace, billing retry or overdue.
  func mayYetPay(for row: Row, at t: Instant) -> Bool {
    guard let position = timeline.position(at: t) else { return false }
    return position.state.mayYetPay && rows[position.row].id == row.id
  }
}
