import GRDB
import Subscriptions

/// Periods that came due in a window, of lines that have not paid at its end (METRICS §5, Renewals, Pending).
///
/// One value covers all windows of the same length that end within an hour, since their stretches have the
/// same boundaries.
struct PendingPeriods: Sendable {
  /// Number of periods in one stretch of the window and one class.
  struct Count: Sendable {
    /// Expiry of one of them; all are in one stretch.
    var expires: Instant
    /// Number of the class that counts them if they were not renewed.
    var kind: Int64
    var count: Int64
  }

  private struct Period: Sendable {
    var from: Instant
    var until: Instant
    var count: Count
  }

  private let length: Int64
  private let hour: Range<Instant>
  /// Periods in every such window.
  private var steady: [Count] = []
  private var others: [Period] = []

  init(_ window: Window, _ db: Database) throws {
    length = window.to - window.from
    hour = window.to.followingHour
    let starts = window.from.followingHour
    var statement = try BoundStatement(
      StoreQuery.unpaid("expires_ms, due_class_id, from_ms, until_ms", where: "due_class_id IS NOT NULL"), db)
    StoreQuery.bindUnpaid(&statement, hour, expiredAfter: window.from)
    let stretches = window.stretches
    struct Key: Hashable {
      var stretch: Int
      var kind: Int64
    }
    var counts: [Key: Count] = [:]
    try statement.forEach { row in
      let count = Count(expires: row.date(0), kind: row[1], count: 1)
      let period = Period(
        from: row.date(2), until: row.date(3), count: count)
      guard count.expires > starts.lowerBound, count.expires < hour.upperBound else { return }
      guard count.expires >= starts.upperBound, count.expires <= hour.lowerBound,
        period.from <= hour.lowerBound, period.until >= hour.upperBound
      else { return others.append(period) }
      let key = Key(stretch: stretches.place(of: count.expires), kind: count.kind)
      if counts[key] == nil { counts[key] = count } else { counts[key]?.count += 1 }
    }
    steady = Array(counts.values)
  }

  /// Returns the periods of a window, or `nil` if it is not covered.
  func counts(_ window: Window) -> [Count]? {
    guard window.to - window.from == length, hour.contains(window.to) else { return nil }
    return steady
      + others.filter { period in
        window.contains(period.count.expires) && period.from <= window.to && period.until > window.to
      }.map(\.count)
  }
}
