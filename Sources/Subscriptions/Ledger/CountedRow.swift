/// Part of a transaction's row that facts are derived from, for a ledger in memory or a store.
public struct CountedRow: Sendable {
  public var environment: StoreEnvironment
  public var product: ProductID
  public var isFamilyShared: Bool
  /// `nil` for a purchase that does not renew, and for a second id of one that does.
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
  /// Whether the period may still be paid for. Only relevant if no later row took over.
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

/// Date of a row that a fact is counted by.
public typealias RowDate = any KeyPath<RowDates, Instant?> & Sendable

/// Dates of a row, and the amounts that are specific to it.
public struct RowDates: Hashable, Sendable {
  public var purchase: Instant
  public var expires: Instant?
  public var effectiveEnd: Instant?
  public var refunded: Instant?
  public var upgraded: Instant?
  public var cancelled: Instant?
  /// Prorated refund, and refund of less than the whole price, in micros of the price's currency.
  public var proratedRefund: Int64?
  public var partialRefund: Int64?

  public init(purchase: Instant) { self.purchase = purchase }

  /// `purchase`, as a date that facts are counted by.
  var bought: Instant? { purchase }
}

extension CountedRow {
  /// - Parameter t: Instant at which the row is described; `nil` uses everything known.
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
  /// Whether a row may still be paid for at an instant (METRICS §5, Renewals, Pending).
  func mayYetPay(for row: Row, at t: Instant) -> Bool {
    guard let position = timeline.position(at: t) else { return false }
    return position.state.mayYetPay && rows[position.row].id == row.id
  }
}
