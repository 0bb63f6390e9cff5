/// Local time of Los Angeles (rules since 2007); Apple counts periods and the days of reports in this time.
package enum PacificTime {
  package static func offset(at instant: Instant) -> Int64 {
    let year = instant.civilDate.year
    let starts = sunday(2, month: 3, year: year) + 10 * Milliseconds.hour
    let ends = sunday(1, month: 11, year: year) + 9 * Milliseconds.hour
    return starts <= instant && instant < ends ? -7 * Milliseconds.hour : -8 * Milliseconds.hour
  }

  package static func day(of instant: Instant) -> CivilDate { (instant + offset(at: instant)).civilDate }

  package static func start(of day: CivilDate) -> Instant { utc(local: Instant(startOf: day)) }

  package static func end(of day: CivilDate) -> Instant {
    start(of: CivilDate(daysSince1970: day.daysSince1970 + 1)) - 1
  }

  /// Returns the end of a period from `instant`, counted in local time, so that a month has 671 to 745 hours.
  package static func adding(_ period: Period, to instant: Instant) -> Instant {
    let local = instant + offset(at: instant)
    let day = local.civilDate
    let later =
      switch period.unit {
      case .day: CivilDate(daysSince1970: day.daysSince1970 + period.count)
      case .week: CivilDate(daysSince1970: day.daysSince1970 + 7 * period.count)
      case .month: day.adding(months: period.count)
      case .year: day.adding(months: 12 * period.count)
      }
    return utc(local: Instant(startOf: later) + local.millisecondOfDay)
  }

  /// Converts local time to UTC; a skipped hour moves forward, and a repeated hour is its first occurrence.
  private static func utc(local: Instant) -> Instant {
    let daylight = local + 7 * Milliseconds.hour
    return local - offset(at: daylight)
  }

  private static func sunday(_ count: Int, month: Int, year: Int) -> Instant {
    let first = CivilDate(year: year, month: month, day: 1) ?? CivilDate(daysSince1970: 0)
    let days = (7 - first.weekday) % 7 + 7 * (count - 1)
    return Instant(milliseconds: Int64(first.daysSince1970 + days) * Milliseconds.day)
  }
}
