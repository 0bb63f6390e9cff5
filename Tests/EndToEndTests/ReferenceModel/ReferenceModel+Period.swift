extension ReferenceModel {
  /// Row with facts that depend on the line's other rows (METRICS §2).
  struct Period: Sendable {
    var row: Row
    var end: Int
    var price: Price?
    var successor: Row?
    /// Upgrade instant; `nil` if unknown, or if the row is not upgraded.
    var upgradedAt: Int?
    /// Arrival: initial, renewal, recovery, unattributed or reactivation.
    var arrival = ""
    var isPastFirstYear = false

    var id: String { row.id }
    var isTrial: Bool { row.kind == "trial" }
    var refundedAt: Int? { row.isUpgraded ? nil : row.cancelled }
    var diesAt: Int? { row.isUpgraded ? upgradedAt ?? row.start : refundedAt }
    var effectiveEnd: Int { min(end, diesAt ?? end) }
    /// End of the paid period, without extensions by Apple.
    var paidEnd: Int { min(end, row.firstEnd ?? end) }
    /// Whether the row is dead when it starts, so that it neither brings a line back nor bridges a gap.
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

extension ReferenceModel.Period {
  var paid: ReferenceModel.Amount? { price.map { .init(currency: $0.currency, micros: $0.micros) } }

  /// Refunded amount; the whole price if Apple gives no percentage.
  var refunded: ReferenceModel.Amount? {
    guard var amount = paid, let part = row.refundedPart, part < 100_000 else { return paid }
    amount.micros = Exactly.divided(Int128(amount.micros) * Int128(part), by: 100_000)
    return amount
  }

  var monthly: ReferenceModel.Amount? {
    price.flatMap { price in price.monthly.map { .init(currency: price.currency, micros: $0) } }
  }

  var proratedRefund: ReferenceModel.Amount? {
    guard row.isUpgraded, let upgradedAt, let price, end > row.start else { return nil }
    let part = Exactly.divided(Int128(price.micros) * Int128(end - upgradedAt), by: Int128(end - row.start))
    return .init(currency: price.currency, micros: isTrial ? 0 : max(0, min(price.micros, part)))
  }

  /// Commission in percent; `nil` if nothing was paid.
  var commission: Int? { isTrial ? nil : isPastFirstYear ? 15 : 30 }

  var proceeds: ReferenceModel.Amount? {
    guard let commission, let price else { return nil }
    let part = Exactly.divided(Int128(price.micros) * Int128(100 - commission), by: 100)
    return .init(currency: price.currency, micros: part)
  }
}
