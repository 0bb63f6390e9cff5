extension ReferenceModel.Line {
  /// Sets the successor and the upgrade instant of each upgraded row (METRICS §2).
  mutating func dateUpgrades() {
    for index in periods.indices where periods[index].row.isUpgraded {
      let period = periods[index]
      periods[index].successor = successor(of: period)
      let dates = [period.row.cancelled, periods[index].successor?.start].compactMap(\.self)
      periods[index].upgradedAt = dates.min().map { max(period.row.start, min(period.end, $0)) }
    }
  }

  private func successor(of period: ReferenceModel.Period) -> ReferenceModel.Row? {
    let start = period.row.start
    let others = periods.filter { $0.id != period.id }
    let before = others.filter {
      !$0.row.isUpgraded && $0.row.start >= start - ReferenceModel.day && $0.row.start <= start
        && $0.end > start
        && $0.row.start < period.end
    }
    return (before.last ?? others.first { $0.row.start > start && $0.row.start < period.end })?.row
  }

  mutating func findArrivals() {
    for index in periods.indices { periods[index].arrival = arrival(of: index) }
  }

  private func arrival(of index: Int) -> String {
    let before = position(at: periods[index].row.start - 1)
    return switch before?.state {
    case nil: index == 0 ? "initial" : "renewal"
    case "billing_retry": "recovery"
    case "unattributed", "overdue": "unattributed"
    case "expired", "revoked": "reactivation"
    default: "renewal"
    }
  }

  /// Counts paid days (METRICS §5, "Proceeds"); trials and refunded periods bridge gaps, but do not count.
  mutating func countPaidDays() {
    for index in periods.indices {
      let start = periods[index].row.start
      var total = 0
      var (covered, paidUntil): (Int?, Int?)
      for period in periods[..<index] {
        if let covered, period.row.start - covered > 60 * ReferenceModel.day { total = 0 }
        if !period.isTrial && period.refundedAt == nil {
          let until = min(period.effectiveEnd, period.paidEnd)
          total += max(0, until - max(period.row.start, paidUntil ?? .min))
          paidUntil = max(until, paidUntil ?? .min)
          if period.isYearShortOfAnHour { total += Self.year - (period.paidEnd - period.row.start) }
        }
        covered = max(covered ?? .min, period.effectiveEnd)
      }
      if let covered, start - covered > 60 * ReferenceModel.day { total = 0 }
      periods[index].isPastFirstYear = total >= Self.year
    }
  }

  fileprivate static let year = 365 * ReferenceModel.day
}

extension ReferenceModel.Period {
  /// Whether daylight saving shortened a complete yearly period.
  fileprivate var isYearShortOfAnHour: Bool {
    let missing = ReferenceModel.Line.year - (paidEnd - row.start)
    return effectiveEnd >= paidEnd && missing > 0 && missing <= ReferenceModel.hour
  }
}
