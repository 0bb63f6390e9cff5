/// Auto-renewable transaction, with values derived from its line and the catalog.
public struct Row: Hashable, Sendable {
  public var transaction: Transaction
  public var kind: PeriodKind
  public var expires: Instant
  public var duplicateIDs: [TransactionID] = []
  public var sighting: Sighting?
  public var upgrade: Upgrade?
  public var price: Price?
  /// Conversion of the row's amounts at the rate of its purchase day.
  public var conversion = Conversion.none
  public var renewalTerms: RenewalTerms?
  /// Next renewal, if Apple has already signed its transaction.
  public var signedRenewal: SignedRenewal?
  public var outcome: PeriodOutcome?
  public var change: ChangeAtRenewal?
  public var arrival = Arrival.initial
  /// Whether the row is paid and follows 365 days of paid, unrefunded service (METRICS §5, Proceeds).
  public var isPastFirstYear = false
  /// Observed ends of the period, oldest first; empty if they never changed.
  public var endsHistory: [EndsObservation] = []
  /// First observed `expires`; may be `nil` if the ends never changed.
  public var firstExpires: Instant?

  /// Returns the period that the row pays for (METRICS §4, Period of a row).
  public func period(_ catalog: Catalog) -> Period? {
    guard let price else { return catalog.period(of: productID) }
    return price.period
  }

  public var id: TransactionID { transaction.transactionID }
  public var productID: ProductID { transaction.productID }
  public var purchase: Instant { transaction.purchaseDate }
  public var storefront: StorefrontCode? { transaction.terms?.storefront }

  /// Signed price of the next renewal (METRICS §5, Due).
  public var signedCharge: Money? { signedRenewal?.price ?? renewalTerms?.price?.amount }

  /// Converts an amount to micros of the reporting currency; `nil` without a reporting currency or a rate.
  func converted(_ amount: Money) -> Int64? {
    conversion == .none ? nil : conversion.of(amount.micros).known.map { Int64(clamping: $0) }
  }

  /// Date of the refund, or of the revocation of a family-shared row.
  public var refundedAt: Instant? { transaction.isUpgraded ? nil : transaction.cancellationDate }

  public var isRefund: Bool { refundedAt != nil && !transaction.inAppOwnershipType.isShared }

  /// Instant of the refund or upgrade, or the purchase if the upgrade is undated; `nil` without either.
  public var deadFrom: Instant? {
    if let refundedAt { return refundedAt }
    return transaction.isUpgraded ? upgrade?.instant ?? purchase : nil
  }

  /// Earliest of expiry, refund and upgrade (METRICS §2, Effective end).
  public var effectiveEnd: Instant { min(expires, deadFrom ?? expires) }

  /// End of the paid period, without Apple's extensions.
  var expiresUnextended: Instant { min(expires, firstExpires ?? expires) }

  /// Refunded part of the price; `nil` if all or nothing was refunded, or the row is unpriced (METRICS §5).
  public var partialRefund: Money? {
    guard isRefund, let price else { return nil }
    return transaction.terms?.partialRefund(of: price.amount, cancelled: transaction.cancellationDate)
  }

  public func isDead(at t: Instant) -> Bool { deadFrom.map { $0 <= t } ?? false }
  public func isLive(at t: Instant) -> Bool { purchase <= t && !isDead(at: t) }

  /// Whether `left` precedes `right`; the greatest live row is the current row (METRICS §2, Current row).
  static func reachesLess(_ left: Row, _ right: Row) -> Bool {
    if left.expires != right.expires { return left.expires < right.expires }
    return left.purchase == right.purchase ? left.id < right.id : left.purchase < right.purchase
  }

  /// Returns the signed price, or else the catalog's price (METRICS §4, Price).
  fileprivate func price(_ catalog: Catalog, in environment: StoreEnvironment) -> Price? {
    // Shared rows have no price, even a signed one.
    guard !transaction.inAppOwnershipType.isShared else { return nil }
    if let signed = transaction.terms?.price {
      return Price(amount: signed, period: signedPeriod(catalog, in: environment), isSigned: true)
    }
    return catalog.entry(for: transaction).map { Price(amount: $0.price, period: $0.period) }
  }

  /// Returns the period of a signed price: from the catalog or, in production only, from the row's dates.
  private func signedPeriod(_ catalog: Catalog, in environment: StoreEnvironment) -> Period? {
    if let listed = catalog.listing(of: transaction)?.period { return listed }
    return environment == .production ? Period(nearest: expiresUnextended - purchase) : nil
  }

  /// Price per month; `nil` if the price or its period is unknown.
  public var monthly: Money? {
    guard let price, let micros = price.monthlyMicros else { return nil }
    return Money(micros: micros, currency: price.amount.currency)
  }

  /// Whether the row redeems a promotional offer or an offer code that the row `before` did not have.
  func redeemsOffer(after before: Row?) -> Bool {
    (kind == .promo || kind == .code) && transaction.offer != before?.transaction.offer
  }

  /// Returns the standard price minus the row's price; `nil` if a price is unknown, or the currencies differ.
  func cost(_ catalog: Catalog) -> Money? {
    guard let price = price?.amount, let standard = catalog.standardPrice(of: productID, at: purchase),
      standard.currency == price.currency
    else { return nil }
    return Money(micros: standard.micros - price.micros, currency: price.currency)
  }
}

/// Source of a price (METRICS §4, Price).
public enum PriceSource: String, Hashable, Sendable, Encodable { case signed, catalogue }

/// Price of a row, and the period that it pays for (METRICS §4, Price).
public struct Price: Hashable, Sendable {
  public var amount: Money
  /// Period of the price; `nil` in the sandbox without a catalog entry, because the sandbox shortens periods.
  public var period: Period?
  public var isSigned = false
  public var source: PriceSource { isSigned ? .signed : .catalogue }
  public var monthlyMicros: Int64? { period?.monthlyMicros(ofPrice: amount.single) }

  public init(amount: Money, period: Period?, isSigned: Bool = false) {
    (self.amount, self.period, self.isSigned) = (amount, period, isSigned)
  }
}

/// Renewal whose transaction is already signed; Apple signs it up to a day before the renewal begins.
public struct SignedRenewal: Hashable, Sendable {
  public var productID: ProductID
  public var begins: Instant
  public var price: Money?
  public var signedAt: Instant

  /// Creates a renewal from its row; `nil` if the row is unsigned, or ends at or before its purchase.
  init?(_ row: Row) {
    guard let terms = row.transaction.terms, row.effectiveEnd > row.purchase else { return nil }
    (productID, begins, signedAt) = (row.productID, row.purchase, terms.signedAt)
    price = row.price.flatMap { $0.isSigned ? $0.amount : nil }
  }
}

/// Outcome of a row's period, using everything known today (METRICS §5, Renewals and Trial conversion).
public enum PeriodOutcome: String, Hashable, Sendable, Codable {
  /// Outcome of a paid row: another row, which ends later, began at most 24 h after the expiry.
  case renewed
  /// Outcome of a paid row: the next began within 60 days, during grace, billing retry or an unvalidated gap.
  case recovered
  /// Outcome of a paid row: not renewed or recovered; the line's state decides whether it is pending or lost.
  case unrenewed
  /// Outcome of a trial: the next paid row began at most 24 h after the trial's effective end.
  case converted
  /// Outcome of a trial: the next paid row began later, but at most 60 days after the trial's effective end.
  case convertedLate = "converted_late"
  /// Outcome of a trial: no paid row began by 60 days after the trial's effective end.
  case unconverted
}

/// Change of product from the preceding row that was not upgraded away (METRICS §5, Changes at renewal).
public struct ChangeAtRenewal: Hashable, Sendable {
  public var from: ProductID
  public var direction: ChangeDirection
}

extension [Row] {
  /// Sets prices, upgrades, outcomes, changes at renewal and paid service of sorted rows.
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

  /// Sets `change` by comparing each row with the preceding row that was not upgraded away.
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

  /// Returns a row's outcome; `nil` for a paid row that was refunded or upgraded away, and for a row that
  /// expires before its purchase.
  ///
  /// In answers of 2014, restored rows expire before their purchase date, which is the date of the restore.
  fileprivate func outcome(ofRow place: Int) -> PeriodOutcome? {
    guard self[place].expires >= self[place].purchase else { return nil }
    return self[place].kind.isPaid ? renewalOutcome(ofRow: place) : trialOutcome(ofRow: place)
  }

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

  private func trialOutcome(ofRow place: Int) -> PeriodOutcome {
    let later = firstLater(than: place)
    guard let paid = (later..<endIndex).first(where: { self[$0].kind.isPaid }) else { return .unconverted }
    let end = self[place].effectiveEnd
    if self[paid].purchase <= end + Milliseconds.day { return .converted }
    return self[paid].purchase <= end + 60 * Milliseconds.day ? .convertedLate : .unconverted
  }

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
