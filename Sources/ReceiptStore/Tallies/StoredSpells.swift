import GRDB
import Subscriptions

/// The spells of one line as they stand in their tables: those in which it failed, and those in which it was lost.
struct StoredSpells {
  let lineID: Int64
  let db: Database

  private struct Record: Hashable {
    var from: Instant
    var values: [Int64?]
  }

  /// - Parameter isNew: the line has none yet.
  func write(_ tallies: LineTallies, isNew: Bool) throws {
    try write(
      tallies.failings.map {
        Record(
          from: $0.from,
          values: [$0.until.rawValue, $0.expires.rawValue, try TallyKeys.id(of: $0.key, db)])
      }, to: "failings", ["until_ms", "expires_date_ms", "key_id"], isNew)
    try write(
      tallies.losses.map {
        Record(
          from: $0.from,
          values: [
            $0.until.rawValue, $0.ended.rawValue, $0.paidFrom?.rawValue, $0.paidUntil?.rawValue,
            try TallyKeys.id(of: $0.key, db),
          ])
      }, to: "losses", ["until_ms", "access_end_ms", "paid_from_ms", "paid_until_ms", "key_id"], isNew)
    let access = try db.cachedStatement(
      sql: "UPDATE lines SET access_until_ms = ?1 WHERE id = ?2 AND access_until_ms IS NOT ?1")
    try access.execute(arguments: [tallies.accessUntil, lineID])
  }

  /// Makes a table say what the records say, and writes only what differs.
  private func write(_ new: [Record], to table: String, _ columns: [String], _ isNew: Bool) throws {
    guard !isNew || !new.isEmpty else { return }
    let fetch = try db.cachedStatement(
      sql: "SELECT from_ms, \(columns.joined(separator: ", ")) FROM \(table) WHERE line_id = ?")
    let old = try (isNew ? [] : FetchedRow.fetchAll(fetch, arguments: [lineID])).map { row in
      Record(from: row[0], values: columns.indices.map { row[$0 + 1] })
    }
    let starts = Set(new.map(\.from))
    for gone in old where !starts.contains(gone.from) {
      try db.cachedStatement(sql: "DELETE FROM \(table) WHERE line_id = ? AND from_ms = ?")
        .execute(arguments: [lineID, gone.from])
    }
    let known = Set(old)
    let places = Array(repeating: "?", count: columns.count + 2).joined(separator: ", ")
    var upsert = try BoundStatement(
      """
      INSERT \(isNew ? "" : "OR REPLACE ")INTO \(table) (line_id, from_ms, \(columns.joined(separator: ", ")))
      VALUES (\(places))
      """, db)
    for record in new where !known.contains(record) {
      upsert.bind(lineID)
      upsert.bind(record.from)
      for value in record.values { upsert.bind(value) }
      try upsert.execute()
    }
  }
}
