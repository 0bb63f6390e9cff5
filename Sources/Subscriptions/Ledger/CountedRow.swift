/// Part of a transaction's row that facts are derived from, for a ledger in memory or a store.
public struct CountedRow: Sendable {
  public var environment: StoreEnvironment
  public var product: ProductID
  public var isFamilyShared: Bool
  /// `nil` for a purchase that does not renew, and for a second id of one that does.
  public var kind: PeriodKind?
  public var price: Money?
  public var isPriceSigned: Bool
  public var storefront: StorefrontCode?
  public var arrival: Arrival
  public var isPastFirstYear: Bool
  public var isRefunded: Bool
  public var refundReason: String?
  public var app: BundleID?
  public var outcome: PeriodOutcome?
  /// Whether the period may still be paid for. Only relevant if no later row took over.
  public var isPending = false
  public var period: Period?
  public var change: ChangeDirection?
  public var upgrade: (direction: ChangeDirection, isConfirmed: Bool)?
  public var dates: RowDates

  public init(
    environment: StoreEnvironment, product: ProductID, isFamilyShared: Bool, kind: PeriodKind? = nil,
    price: Money? = nil, isPriceSigned: Bool = false, storefront: StorefrontCode? = nil,
    arrival: Arrival? = nil, isPastFirstYear: Bool? = nil, refundReason: String?, app: BundleID? = nil,
    outcome: PeriodOutcome? = nil, period: Period? = nil, change: ChangeDirection? = nil,
    upgrade: (ChangeDirection, isConfirmed: Bool)? = nil, dates: RowDates
  ) {
    self.environment = environment
    self.product = product
    self.isFamilyShared = isFamilyShared
    self.kind = kind
    self.price = price
    self.isPriceSigned = isPriceSigned
    self.storefront = storefront
    self.arrival = arrival ?? .initial
    self.isPastFirstYear = isPastFirstYear ?? false
    isRefunded = dates.refunded != nil
    self.refundReason = refundReason
    self.app = app
    self.outcome = outcome
    self.period = period
    self.change = change
    self.upgrade = upgrade
    self.dates = dates
  }
}

/// Date of a row that a fact is counted by.
public enum RowDate: Sendable { case purchase, expires, effectiveEnd, refunded, upgraded, cancelled }

/// Dates of a row, and the amounts that are specific to it.
public struct RowDates: Hashable, Sendable {
  public var purchase: Instant
  public var expires: Instant?
  public var effectiveEnd: Instant?
  public var refunded: Instant?
  public var upgraded: Instant?
  public var cancelled: Instant?
  /// Prorated refund in micros of the price's currency.
  public var proratedRefund: Int64?
  /// Refund of less than the whole price, in micros of the price's currency.
  public var partialRefund: Int64?

  public init(
    purchase: Instant, expires: Instant? = nil, effectiveEnd: Instant? = nil, refunded: Instant? = nil,
    upgraded: Instant? = nil, cancelled: Instant? = nil, proratedRefund: Int64? = nil,
    partialRefund: Int64? = nil
  ) {
    self.purchase = purchase
    self.expires = expires
    self.effectiveEnd = effectiveEnd
    self.refunded = refunded
    self.upgraded = upgraded
    self.cancelled = cancelled
    self.proratedRefund = proratedRefund
    self.partialRefund = partialRefund
  }

  public subscript(date: RowDate) -> Instant? {
    switch date {
    case .purchase: purchase
    case .expires: expires
    case .effectiveEnd: effectiveEnd
    case .refunded: refunded
    case .upgraded: upgraded
    case .cancelled: cancelled
    }
  }
}

extension CountedRow {
  /// - Parameter t: Instant at which the row is described; `nil` uses everything known.
  init(_ row: Row, of line: Line, _ catalog: Catalog, at t: Instant? = nil) {
    self.init(
      environment: line.id.environment, product: row.productID, isFamilyShared: line.isFamilyShared,
      kind: row.kind, price: row.price?.amount,
      isPriceSigned: row.price?.isSigned ?? false, storefront: row.storefront, arrival: row.arrival,
      isPastFirstYear: row.isPastFirstYear,
      refundReason: row.isRefund ? row.transaction.cancellationReason : nil, app: line.bundleID,
      outcome: row.outcome, period: row.kind.isPaid ? row.period(catalog) : nil,
      change: row.change?.direction,
      upgrade: row.upgrade.map { ($0.direction, isConfirmed: $0.isConfirmed) },
      dates: RowDates(
        purchase: row.purchase, expires: row.expires, effectiveEnd: row.effectiveEnd,
        refunded: row.isRefund ? row.refundedAt : nil, upgraded: row.upgrade?.instant,
        cancelled: row.transaction.cancellationDate, proratedRefund: row.upgrade?.proratedRefund?.single,
        partialRefund: row.partialRefund?.single))
    guard let t else { return }
    isRefunded = row.isRefund && row.isDead(at: t)
    isPending = line.mayYetPay(for: row, at: t)
  }

  init(oneTime purchase: OneTimePurchase) {
    let transaction = purchase.transaction
    self.init(
      environment: purchase.environment, product: transaction.productID,
      isFamilyShared: transaction.inAppOwnershipType.isShared, refundReason: transaction.cancellationReason,
      dates: RowDates(purchase: transaction.purchaseDate, cancelled: transaction.cancellationDate))
  }
}

extension Line {
  /// Whether a row may still be paid for at an instant (METRICS §5, Renewals, Pending).
  func mayYetPay(for row: Row, at t: Instant) -> Bool {
    guard let position = timeline.position(at: t) else { return false }
    return position.state.mayYetPay && rows[position.row].id == row.id
  }
}
