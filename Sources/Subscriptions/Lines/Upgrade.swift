/// Upgrade of a row (METRICS §2, Successor and Upgrade instant).
public struct Upgrade: Hashable, Sendable {
  public var successorID: TransactionID?
  public var successorProductID: ProductID?
  /// Instant of the upgrade; `nil` if there is neither a cancellation date nor a successor.
  public var instant: Instant?
  /// Whether Apple sent a `cancellation_date`.
  public var isConfirmed: Bool
  public var direction: ChangeDirection
  /// Prorated refund; `nil` if the row is unpriced or the upgrade is undated.
  public var proratedRefund: Money?
}

/// Prorated refund of an upgraded row, and the values that determine it (METRICS §5, Upgrade proration).
public struct Proration: Hashable, Sendable, Encodable {
  public var price: Money
  public var purchase: Instant
  public var expires: Instant
  /// Instant of the upgrade, within the period.
  public var upgrade: Instant

  public init(price: Money, purchase: Instant, expires: Instant, upgrade: Instant) {
    (self.price, self.purchase, self.expires, self.upgrade) = (price, purchase, expires, upgrade)
  }

  /// Length of the period by the row's own dates: a month is 671 to 745 hours.
  public var wholeMilliseconds: Int64 { max(0, expires - purchase) }
  public var unusedMilliseconds: Int64 { min(wholeMilliseconds, max(0, expires - upgrade)) }

  public var text: String {
    "\(price.micros) micros × \(unusedMilliseconds) ms unused / \(wholeMilliseconds) ms"
  }

  /// Prorated refund, rounded half to even; 0 if the period has no length.
  public var refundMicros: Int64 {
    guard wholeMilliseconds > 0 else { return 0 }
    return Int64(
      clamping: roundedHalfToEven(price.micros * Int128(unusedMilliseconds), over: Int128(wholeMilliseconds)))
  }

  public func encode(to encoder: any Encoder) throws {
    try encoder.encode([
      "priceMicros": price.micros, "unusedMs": unusedMilliseconds, "wholeMs": wholeMilliseconds,
      "upgradedAtMs": upgrade,
    ])
  }
}

extension Upgrade {
  init(of row: Row, among rows: [Row], catalog: Catalog) {
    let successor = Self.successor(of: row, among: rows)
    let dates = [row.transaction.cancellationDate, successor?.purchase].compactMap(\.self)
    successorID = successor?.id
    successorProductID = successor?.productID
    instant = dates.min().map { max(row.purchase, min(row.expires, $0)) }
    isConfirmed = row.transaction.cancellationDate != nil
    direction = Self.direction(from: row.productID, to: successor?.productID, catalog: catalog)
    if let instant, let price = row.price {
      let proration = Proration(
        price: price.amount, purchase: row.purchase, expires: row.expires, upgrade: instant)
      let micros = row.kind == .trial ? 0 : proration.refundMicros
      proratedRefund = Money(micros: micros, currency: price.amount.currency)
    }
  }

  /// Returns the last row, not upgraded, that began up to 24 h before x and overlaps it, or the first in x.
  private static func successor(of x: Row, among rows: [Row]) -> Row? {
    let ahead = rows.filter {
      !$0.transaction.isUpgraded && $0.id != x.id && $0.purchase <= x.purchase
        && $0.purchase >= x.purchase - Milliseconds.day && $0.expires > x.purchase
    }
    return ahead.last ?? rows.first { $0.id != x.id && $0.purchase > x.purchase && $0.purchase < x.expires }
  }

  /// Returns the direction by the catalog's levels; `unranked` if `to` ranks lower or a level is unknown.
  private static func direction(from: ProductID, to: ProductID?, catalog: Catalog) -> ChangeDirection {
    guard let to, let old = catalog.level(of: from), let new = catalog.level(of: to) else { return .unranked }
    if new == old { return .crossgrade }
    return new < old ? .upgrade : .unranked
  }
}

/// Direction of a product change, by the catalog's levels.
public enum ChangeDirection: String, Hashable, Sendable, Codable {
  case upgrade, downgrade, crossgrade, unranked
}
