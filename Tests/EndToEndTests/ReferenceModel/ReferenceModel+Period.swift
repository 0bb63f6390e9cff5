extension ReferenceModel {
  /// A row with what follows from its line's other rows (METRICS 2).
  struct Period: Sendable {
    var row: Row
    var end: Int
    var price: Price?
    var successor: Row?
    /// Upgrade instant; nil where it is not known, or the row is not upgraded away.
    var upgradedAt: Int?
    /// How it came about: initial, renewal, recovery, unattributed or reactivation.
    var arrival = ""
    /// Paid days of its line before it are a year or more.
    var isPastFirstYear = false

    var id: String { row.id }
    var isTrial: Bool { row.kind == "trial" }
    /// A refund, or on a shared row a revocation.
    var refundedAt: Int? { row.isUpgraded ? nil : row.cancelled }
    var diesAt: Int? { row.isUpgraded ? upgradedAt ?? row.start : refundedAt }
    var effectiveEnd: Int { min(end, diesAt ?? end) }
    /// The end of what was paid for: days by which Apple extended the period are not.
    var paidEnd: Int { min(end, row.firstEnd ?? end) }
    /// Such a row neither brings its line back nor bridges anything.
    var isDeadFromItsPurchase: Bool { diesAt.map { $0 <= row.start } ?? false }

    func isDead(at instant: Int) -> Bool { diesAt.map { $0 <= instant } ?? false }
    func isRefunded(at instant: Int) -> Bool { refundedAt.map { $0 <= instant } ?? false }
    func isLive(at instant: Int) -> Bool { row.start <= instant && !isDead(at: instant) }

    func isAfter(_ other: Period) -> Bool {
      (row.start, end, row.number) > (other.row.start, other.end, other.row.number)
    }

    func isLastingLongerThan(_ other: Period) -> Bool {
      (end, row.start, row.number) > (other.end, other.row.start, other.row.number)
    }
  }
}

/// What a period is worth (METRICS 4 and 5).
extension ReferenceModel.Period {
  /// Its price, as a part of a sum.
  var paid: ReferenceModel.Amount? { price.map { .init(currency: $0.currency, micros: $0.micros) } }

  /// What was given back; all of it where Apple tells no part.
  var refunded: ReferenceModel.Amount? {
    guard var amount = paid, let part = row.refundedPart, part < 100_000 else { return paid }
    amount.micros = Exactly.divided(Int128(amount.micros) * Int128(part), by: 100_000)
    return amount
  }

  /// What it brings in a month; nil where it is unpriced, or its period unknown.
  var monthly: ReferenceModel.Amount? {
    price.flatMap { price in price.monthly.map { .init(currency: price.currency, micros: $0) } }
  }

  var proratedRefund: ReferenceModel.Amount? {
    guard row.isUpgraded, let upgradedAt, let price, end > row.start else { return nil }
    let part = Exactly.divided(Int128(price.micros) * Int128(end - upgradedAt), by: Int128(end - row.start))
    return .init(currency: price.currency, micros: isTrial ? 0 : max(0, min(price.micros, part)))
  }

  /// c of its proceeds, in percent; nil where nothing was paid.
  var commission: Int? { isTrial ? nil : isPastFirstYear ? 15 : 30 }

  var proceeds: ReferenceModel.Amount? {
    guard let commission, let price else { return nil }
    let part = Exactly.divided(Int128(price.micros) * Int128(100 - commission), by: 100)
    return .init(currency: price.currency, micros: part)
  }
}
