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

  /// A row that began in the 24 h up to x's start and overlaps it; else the earliest that begins inside x.
  private static func successor(of x: Row, among rows: [Row]) -> Row? {
    let ahead = rows.filter {
      !$0.transaction.isUpgraded && $0.id != x.id && $0.purchase <= x.purchase
        && $0.purchase >= x.purchase - Milliseconds.day && $0.expires > x.purchase
    }
    return ahead.last ?? rows.first { $0.id != x.id && $0.purchase > x.purchase && $0.purchase < x.expires }
  }

  /// New level above old is an upgrade, equal a crossgrade; anything the catalogue does not rank is unranked.
  private static func direction(from: ProductID, to: ProductID?, catalog: Catalog) -> ChangeDirection {
    guard let to, let old = catalog.level(of: from), let new = catalog.level(of: to) else { return .unranked }
    if new == old { return .crossgrade }
    return new < old ? .upgrade : .unranked
  }
}
