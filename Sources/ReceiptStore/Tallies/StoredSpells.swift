import GRDB
import Subscriptions

/// The spells of one line as they stand in their tables: those in which it failed, and the turns of those in which it was lost
/// or might yet be paid for.
struct StoredSpells {
  let lineID: Int64
  let db: Database
  let ledger: TallyLedger

  /// - Parameter isNew: the line has none yet.
  func write(_ tallies: LineTallies, isNew: Bool) throws {
    try write(
      tallies.failings.map {
        [$0.from.rawValue, $0.until.rawValue, $0.expires.rawValue, try ledger.number(of: $0.key)]
      }, to: Self.failings, isNew)
    try write(tallies.turns.map(values), to: Self.turns, isNew)
    let update = try db.cachedStatement(
      sql: """
        UPDATE lines SET access_until_ms = ?1, renewed_ahead_at_ms = ?2
        WHERE id = ?3 AND (access_until_ms IS NOT ?1 OR renewed_ahead_at_ms IS NOT ?2)
        """)
    try update.execute(arguments: [tallies.accessUntil, tallies.renewedAheadAt, lineID])
  }

  private struct Table {
    var name: String
    var columns: [String]
    /// Of the columns, those that tell the rows of a line apart.
    var keys: Int
  }

  private static let failings = Table(
    name: "failings", columns: ["from_ms", "until_ms", "expires_date_ms", "key_id"], keys: 1)

  private static let turns = Table(
    name: "turns",
    columns: ["anchor_ms", "at_ms", "key_id", "sign", "is_told"], keys: 4)

  private func values(_ turn: Turn) throws -> [Int64?] {
    [
      turn.anchor.rawValue, turn.at.rawValue, try ledger.number(of: turn.key), turn.sign,
      turn.lag.isRegular ? 0 : 1,
    ]
  }

  /// Makes a table say what the rows say, and writes only what differs.
  private func write(_ new: [[Int64?]], to table: Table, _ isNew: Bool) throws {
    guard !isNew || !new.isEmpty else { return }
    let columns = table.columns.joined(separator: ", ")
    if !isNew {
      let fetch = try db.cachedStatement(sql: "SELECT \(columns) FROM \(table.name) WHERE line_id = ?")
      let old = try FetchedRow.fetchAll(fetch, arguments: [lineID]).map { row in
        table.columns.indices.map { row[$0] as Int64? }
      }
      guard Set(old) != Set(new) else { return }
      let condition = table.columns.prefix(table.keys).map { " AND \($0) = ?" }.joined()
      for gone in Set(old).subtracting(new) {
        try db.cachedStatement(sql: "DELETE FROM \(table.name) WHERE line_id = ?\(condition)")
          .execute(arguments: Self.arguments([lineID] + gone.prefix(table.keys)))
      }
      return try insert(Set(new).subtracting(old), into: table)
    }
    try insert(Set(new), into: table)
  }

  private func insert(_ rows: Set<[Int64?]>, into table: Table) throws {
    let places = Array(repeating: "?", count: table.columns.count + 1).joined(separator: ", ")
    var insert = try BoundStatement(
      "INSERT INTO \(table.name) (line_id, \(table.columns.joined(separator: ", "))) VALUES (\(places))", db)
    for row in rows {
      insert.bind(lineID)
      for value in row { insert.bind(value) }
      try insert.execute()
    }
  }

  private static func arguments(_ values: [Int64?]) -> StatementArguments {
    StatementArguments(values as [(any DatabaseValueConvertible)?])
  }
}
