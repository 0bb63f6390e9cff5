import GRDB

/// Indexes that a bulk import drops and rebuilds at the end.
///
/// For each inserted row, SQLite reads a random page of each index. That took two thirds of the time of an
/// import into a store with two million transactions. The import itself uses none of these indexes.
struct LateIndexes {
  private static let names =
    [
      "transactions_id", "transactions_order", "transactions_account_token", "transactions_purchase",
      "transactions_expires",
      "transactions_effective_end", "events_effective", "events_observed", "lines_first_paid",
      "signed_terms_account",
    ] + ofSpans
  private static let ofSpans = [
    "spans_from", "spans_unpaid", "spans_unpaid_long", "episodes_from", "episodes_settled",
  ]

  /// Estimated cost of adding a row to an index larger than memory, relative to building the index.
  private static let ratio = 40

  private let standing: Int
  /// Statements that create the dropped indexes; empty if none is dropped.
  private var statements: [String] = []

  init(_ db: Database) throws {
    standing = try Int.fetchOne(db, sql: "SELECT transactions FROM ledger_state") ?? 0
  }

  /// Drops the indexes if so many rows were added that rebuilding is cheaper; call `make` before the commit.
  mutating func takeIfWorthwhile(added: Int, _ db: Database) throws {
    guard statements.isEmpty, added * Self.ratio >= standing else { return }
    try take(Self.names, db)
  }

  /// Drops the indexes of spans and episodes, before all their rows are rewritten.
  ///
  /// Three million spans took 20 s of processor time with an index on their starts, and 7 s with the index
  /// built at the end.
  mutating func takeThoseOfSpans(_ db: Database) throws { try take(Self.ofSpans, db) }

  private mutating func take(_ names: [String], _ db: Database) throws {
    let places = Array(repeating: "?", count: names.count).joined(separator: ", ")
    statements = try String.fetchAll(
      db, sql: "SELECT sql FROM sqlite_schema WHERE type = 'index' AND name IN (\(places))",
      arguments: StatementArguments(names))
    for name in names { try db.execute(sql: "DROP INDEX IF EXISTS \(name)") }
  }

  /// Creates the dropped indexes again; if it returns `false`, the caller must roll back.
  ///
  /// - Parameter progress: Receives the number of the next index, from 1, and the total; `false` stops.
  func make(_ db: Database, progress: (Int, Int) -> Bool) throws -> Bool {
    for (index, statement) in statements.enumerated() {
      guard progress(index + 1, statements.count) else { return false }
      try db.execute(sql: statement)
    }
    return true
  }
}
