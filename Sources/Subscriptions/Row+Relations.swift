extension [Row] {
  /// The rows of one line, in order, with what each says of the others: prices, upgrades, outcomes and changes
  /// at renewal.
  func related(catalog: Catalog) -> [Row] {
    var rows = self
    for index in rows.indices {
      rows[index].price = rows[index].price(catalog)
      if let currency = rows[index].price?.amount.currency {
        rows[index].conversion = catalog.conversion(of: currency, at: rows[index].purchase)
      }
    }
    for index in rows.indices where rows[index].transaction.isUpgraded {
      rows[index].upgrade = Upgrade(of: rows[index], among: rows, catalog: catalog)
    }
    for index in rows.indices { rows[index].outcome = rows[index].outcome(among: rows) }
    rows.markChangesAtRenewal(catalog: catalog)
    return rows.countedPaidService()
  }

  /// METRICS §4, Changes at renewal: the row before is one that was not upgraded away; the row itself may be, later.
  private mutating func markChangesAtRenewal(catalog: Catalog) {
    let successors = Set(compactMap { $0.upgrade?.successorID })
    var before: Row?
    for index in indices {
      let y = self[index]
      defer { before = y.transaction.isUpgraded ? before : y }
      guard let x = before, x.productID != y.productID, !successors.contains(y.id),
        y.purchase >= x.expires - Milliseconds.day, y.purchase <= x.expires + 60 * Milliseconds.day
      else { continue }
      self[index].change = ChangeAtRenewal(
        from: x.productID, direction: catalog.directionAtRenewal(from: x.productID, to: y.productID))
    }
  }
}

extension Row {
  /// METRICS §4, Price: what Apple signed, else what the catalogue says; nil is unpriced.
  fileprivate func price(_ catalog: Catalog) -> Price? {
    // Whatever it carries.
    guard !transaction.inAppOwnershipType.isShared else { return nil }
    if let signed = transaction.terms?.price {
      return Price(amount: signed, period: Period(nearest: expires - purchase), isSigned: true)
    }
    return catalog.entry(for: transaction).map { Price(amount: $0.price, period: $0.period) }
  }

  /// Nil for a row that came due never, and for one that ended before it began: answers of 2014 have restored rows whose
  /// `purchase_date` is that of the restore.
  fileprivate func outcome(among rows: [Row]) -> PeriodOutcome? {
    guard expires >= purchase else { return nil }
    return kind.isPaid ? renewalOutcome(among: rows) : trialOutcome(among: rows)
  }

  /// METRICS §4, Renewal rate: nil where the row never came due.
  private func renewalOutcome(among rows: [Row]) -> PeriodOutcome? {
    guard transaction.cancellationDate == nil, !transaction.isUpgraded else { return nil }
    let later = rows[rows.firstIndex(boughtAfter: purchase)...]
    let inTime = later.prefix { $0.purchase <= expires + Milliseconds.day }
    return inTime.contains { $0.expires > expires } ? .renewed : .unrenewed
  }

  /// METRICS §4, Trial conversion.
  private func trialOutcome(among rows: [Row]) -> PeriodOutcome {
    let later = rows[rows.firstIndex(boughtAfter: purchase)...]
    guard let paid = later.first(where: \.kind.isPaid) else { return .unconverted }
    if paid.purchase <= effectiveEnd + Milliseconds.day { return .converted }
    return paid.purchase <= effectiveEnd + 60 * Milliseconds.day ? .convertedLate : .unconverted
  }
}

extension [Row] {
  /// Of rows in order of purchase.
  fileprivate func firstIndex(boughtAfter t: Instant) -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = low + (high - low) / 2
      if self[middle].purchase > t { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

extension Catalog {
  fileprivate func directionAtRenewal(from: ProductID, to: ProductID) -> ChangeDirection {
    guard let old = level(of: from), let new = level(of: to) else { return .unranked }
    if new == old { return .crossgrade }
    return new > old ? .downgrade : .unranked
  }
}
