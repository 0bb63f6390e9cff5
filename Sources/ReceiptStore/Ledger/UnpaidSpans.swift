import GRDB
import Subscriptions

/// Spans of unpaid lines that overlap one hour, without family-shared lines.
struct UnpaidSpans: Sendable {
  struct Span: Sendable {
    var line: Int64
    var from: Instant
    var until: Instant
    /// Expiry of the row that may still be paid.
    var expires: Instant
    /// Number of the position's class.
    var position: Int
    /// Index in `users`; `nil` if several users have the line.
    var user: Int32?

    func holds(_ t: Instant) -> Bool { from <= t && t < until }
  }

  let hour: Range<Instant>
  /// Spans sorted by expiry, the latest first.
  let spans: [Span]
  /// Sorted numbers of the users.
  let users: [Int64]

  init(from t: Instant, _ db: Database) throws {
    hour = t.followingHour
    var rows: [(span: Span, user: Int64?)] = []
    var statement = try BoundStatement(
      StoreQuery.unpaid("line_id, from_ms, until_ms, expires_ms, position_id, user_number"), db)
    StoreQuery.bindUnpaid(&statement, hour)
    try statement.forEach { row in
      let span = Span(
        line: row[0], from: row.date(1), until: row.date(2),
        expires: row.date(3), position: row.count(4))
      rows.append((span, row.number(5)))
    }
    rows.sort { ($0.user ?? 0) < ($1.user ?? 0) }
    var users: [Int64] = []
    for index in rows.indices {
      guard let user = rows[index].user else { continue }
      if users.last != user { users.append(user) }
      rows[index].span.user = Int32(clamping: users.count - 1)
    }
    spans = rows.map(\.span).sorted { $0.expires > $1.expires }
    self.users = users
  }

  func place(ofUser number: Int64) -> Int32? {
    guard let place = users.lastPlace(where: { $0 <= number }), users[place] == number else { return nil }
    return Int32(clamping: place)
  }
}

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

extension Instant {
  /// Hour that begins at this instant.
  var followingHour: Range<Instant> { self..<max(self + Milliseconds.hour, self + 1) }
}
