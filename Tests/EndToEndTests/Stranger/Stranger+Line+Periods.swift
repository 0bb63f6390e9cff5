extension Stranger.Line {
  /// Successors and upgrade instants (METRICS 2).
  mutating func dateUpgrades() {
    for index in periods.indices where periods[index].row.isUpgraded {
      let period = periods[index]
      periods[index].successor = successor(of: period)
      let dates = [period.row.cancelled, periods[index].successor?.start].compactMap(\.self)
      periods[index].upgradedAt = dates.min().map { max(period.row.start, min(period.end, $0)) }
    }
  }

  private func successor(of period: Stranger.Period) -> Stranger.Row? {
    let start = period.row.start
    let others = periods.filter { $0.id != period.id }
    let before = others.filter {
      !$0.row.isUpgraded && $0.row.start >= start - Stranger.day && $0.row.start <= start && $0.end > start
        && $0.row.start < period.end
    }
    return (before.last ?? others.first { $0.row.start > start && $0.row.start < period.end })?.row
  }

  /// How each row came about (METRICS 4, "Return after a gap").
  mutating func findArrivals() {
    for index in periods.indices { periods[index].arrival = arrival(of: index) }
  }

  private func arrival(of index: Int) -> String {
    guard let end = periods[..<index].map(\.effectiveEnd).max() else { return "initial" }
    let start = periods[index].row.start
    if start - end <= Stranger.day { return "renewal" }
    guard start - end <= 60 * Stranger.day else { return "reactivation" }
    // When a snapshot was seen again without a change is not printed.
    let isBillingProblem = renewals.map(\.observedAt).filter { $0 > end && $0 <= start }.contains {
      let shown = renewal(at: $0)
      return shown?.isInRetry == true || shown?.intent == "2"
    }
    return isBillingProblem ? "recovery" : "unattributed"
  }

  /// Which rows have a year of paid, unrefunded days before them (METRICS 4, "Proceeds"). A gap is one without any row:
  /// a trial or a refunded period fills it without counting.
  mutating func countPaidDays() {
    for index in periods.indices {
      let start = periods[index].row.start
      var total = 0
      var covered: Int?
      for period in periods[..<index] {
        if let covered, period.row.start - covered > 60 * Stranger.day { total = 0 }
        if !period.isTrial && period.refundedAt == nil {
          total += max(0, period.effectiveEnd - max(period.row.start, covered ?? .min))
        }
        covered = max(covered ?? .min, period.effectiveEnd)
      }
      if let covered, start - covered > 60 * Stranger.day { total = 0 }
      periods[index].isPastFirstYear = total >= 365 * Stranger.day
    }
  }
}
