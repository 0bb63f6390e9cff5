extension [Row] {
  /// The rows of one line, in order, with what each says of the others: prices, upgrades, outcomes and changes
  /// at renewal.
  mutating func relate(catalog: Catalog, in environment: StoreEnvironment) {
    for index in indices {
      self[index].price = self[index].price(catalog, in: environment)
      if let currency = self[index].price?.amount.currency {
        self[index].conversion = catalog.conversion(of: currency, at: self[index].purchase)
      }
    }
    for index in indices where self[index].transaction.isUpgraded {
      self[index].upgrade = Upgrade(of: self[index], among: self, catalog: catalog)
    }
    for index in indices { self[index].outcome = outcome(ofRow: index) }
    markChangesAtRenewal(catalog: catalog)
    countPaidService()
  }

  /// METRICS §5, Changes at renewal: the row before is one that was not upgraded away; the row itself may be, later.
  private mutating func markChangesAtRenewal(catalog: Catalog) {
    let successors = Set(compactMap { $0.upgrade?.successorID })
    var before: Int?
    for y in indices {
      defer { before = self[y].transaction.isUpgraded ? before : y }
      guard let x = before, self[x].productID != self[y].productID, !successors.contains(self[y].id),
        self[y].purchase >= self[x].expires - Milliseconds.day,
        self[y].purchase <= self[x].expires + 60 * Milliseconds.day
      else { continue }
      self[y].change = ChangeAtRenewal(
        from: self[x].productID,
        direction: catalog.directionAtRenewal(from: self[x].productID, to: self[y].productID))
    }
  }
}

extension Row {
  /// METRICS §4, Price: what Apple signed, else what the catalogue says; nil is unpriced.
  fileprivate func price(_ catalog: Catalog, in environment: StoreEnvironment) -> Price? {
    // Whatever it carries.
    guard !transaction.inAppOwnershipType.isShared else { return nil }
    if let signed = transaction.terms?.price {
      return Price(amount: signed, period: signedPeriod(catalog, in: environment), isSigned: true)
    }
    return catalog.entry(for: transaction).map { Price(amount: $0.price, period: $0.period) }
  }
}

extension Row {
  /// METRICS §4, Period, of a row with a signed price. The sandbox shortens periods, so its dates are not used.
  private func signedPeriod(_ catalog: Catalog, in environment: StoreEnvironment) -> Period? {
    if let listed = catalog.listing(of: transaction)?.period { return listed }
    return environment == .production ? Period(nearest: expiresUnextended - purchase) : nil
  }
}

extension [Row] {
  /// Nil for a row that came due never, and for one that ended before it began: answers of 2014 have restored rows whose
  /// `purchase_date` is that of the restore.
  fileprivate func outcome(ofRow place: Int) -> PeriodOutcome? {
    guard self[place].expires >= self[place].purchase else { return nil }
    return self[place].kind.isPaid ? renewalOutcome(ofRow: place) : trialOutcome(ofRow: place)
  }

  /// METRICS §5, Renewals: nil where the row never came due.
  private func renewalOutcome(ofRow place: Int) -> PeriodOutcome? {
    guard self[place].transaction.cancellationDate == nil, !self[place].transaction.isUpgraded else {
      return nil
    }
    let expires = self[place].expires
    var later = firstLater(than: place)
    while later < endIndex, self[later].purchase <= expires + Milliseconds.day {
      if self[later].expires > expires { return .renewed }
      later += 1
    }
    return .unrenewed
  }

  /// METRICS §5, Trial conversion.
  private func trialOutcome(ofRow place: Int) -> PeriodOutcome {
    let later = firstLater(than: place)
    guard let paid = (later..<endIndex).first(where: { self[$0].kind.isPaid }) else { return .unconverted }
    let end = self[place].effectiveEnd
    if self[paid].purchase <= end + Milliseconds.day { return .converted }
    return self[paid].purchase <= end + 60 * Milliseconds.day ? .convertedLate : .unconverted
  }

  /// Of rows in order of purchase, the first that was bought after one.
  private func firstLater(than place: Int) -> Int {
    let purchase = self[place].purchase
    return indices.placeAfter { self[$0].purchase <= purchase }
  }
}

extension Catalog {
  fileprivate func directionAtRenewal(from: ProductID, to: ProductID) -> ChangeDirection {
    guard let old = level(of: from), let new = level(of: to) else { return .unranked }
    if new == old { return .crossgrade }
    return new > old ? .downgrade : .unranked
  }
}
