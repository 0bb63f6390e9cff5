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
