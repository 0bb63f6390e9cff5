import Subscriptions

/// Of which lines of a cohort the same day and time so many months later has come by an instant: METRICS §5, Cohorts.
package struct CohortReach: Equatable {
  /// Days of the cohort's month of which it has come for every line, since 1970.
  package var days: Range<Int64>
  /// Days whose lines are still on their way: of several where the later month is shorter, so that they fall on its last day.
  package var cut: [Int64]

  /// Nil where it has come for all of the month, or for nothing of it.
  ///
  /// - Parameter months: how many later.
  package init?(_ month: CivilMonth, months: Int, by t: Instant) {
    let today = t.civilDate
    guard month.adding(months: months) == CivilMonth(of: today),
      let first = CivilDate(year: month.year, month: month.month, day: 1)?.daysSince1970
    else { return nil }
    let length = CivilDate.days(inMonth: month.month, of: month.year)
    let isLast = today.day == CivilDate.days(inMonth: today.month, of: today.year)
    let passed = min(today.day - 1, length)
    days = Int64(first)..<Int64(first + passed)
    let reached = isLast ? length : min(today.day, length)
    cut = reached > passed ? (passed..<reached).map { Int64(first + $0) } : []
  }
}
