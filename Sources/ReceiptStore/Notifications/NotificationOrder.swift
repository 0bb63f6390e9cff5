import GRDB
import Subscriptions

/// Order in which to apply the notifications of one import: by the time of receipt, or else the latest
/// instant that they contain.
///
/// Only keys are stored, in a temporary table, which SQLite moves to a file if it is large. The bodies stay
/// in the imported files.
struct NotificationOrder {
  let db: Database
  let now: Instant

  var tables: ImportTables {
    ImportTables(
      db: db, names: ["import_order"],
      sql: """
        CREATE TEMP TABLE import_order (instant_ms INTEGER NOT NULL, digest TEXT NOT NULL, file INTEGER NOT NULL,
          line INTEGER NOT NULL, start INTEGER NOT NULL, end INTEGER NOT NULL) STRICT
        """)
  }

  func add(_ notification: ReceivedNotification, at place: ImportPlace) throws {
    let instant: Instant =
      switch notification {
      case .ofVersion1(let notification): notification.observedAt ?? notification.evidence(by: now) ?? now
      case .signed(let notification): notification.signedAt
      }
    let statement = try db.cachedStatement(sql: "INSERT INTO temp.import_order VALUES (?, ?, ?, ?, ?, ?)")
    try statement.execute(arguments: [
      instant, notification.digest.hexadecimal, place.file, place.line, place.range.lowerBound,
      place.range.upperBound,
    ])
  }

  /// - Parameter body: Returns whether to continue.
  /// - Returns: Whether the end was reached.
  func forEach(_ body: (ImportPlace) throws -> Bool) throws -> Bool {
    let places = try FetchedRow.fetchCursor(
      db,
      sql: """
        SELECT file, line, start, end FROM temp.import_order ORDER BY instant_ms, digest, file, line
        """)
    while let row = try places.next() {
      let (start, end): (Int, Int) = try (row[2], row[3])
      guard try body(ImportPlace(file: row[0], line: row[1], range: start..<end)) else { return false }
    }
    return true
  }
}
