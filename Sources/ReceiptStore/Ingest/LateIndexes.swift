import GRDB

/// Indexes that the first answers of a store are written without, to be made of everything at once.
///
/// Each of them would have every row go into a page of its own, which was read for it: at two million transactions that was
/// most of what an import did. None of them is asked while answers are written.
struct LateIndexes {
  private static let names = [
    "transactions_order", "transactions_purchase", "transactions_expires", "transactions_effective_end",
    "events_effective", "events_observed", "phases_until", "turns_anchor", "turns_told", "turns_month",
    "turns_year",
  ]

  /// What makes them again: nothing where there are rows already.
  private let statements: [String]

  /// Takes them away from a store without transactions. They are back when the commit is, or when it is rolled back.
  init(takenFrom db: Database) throws {
    let isEmpty = try Bool.fetchOne(db, sql: "SELECT NOT EXISTS (SELECT 1 FROM transactions)") ?? false
    let places = Array(repeating: "?", count: Self.names.count).joined(separator: ", ")
    statements =
      isEmpty
      ? try String.fetchAll(
        db, sql: "SELECT sql FROM sqlite_master WHERE type = 'index' AND name IN (\(places))",
        arguments: StatementArguments(Self.names)) : []
    guard !statements.isEmpty else { return }
    for name in Self.names { try db.execute(sql: "DROP INDEX IF EXISTS \(name)") }
  }

  func make(_ db: Database) throws {
    for statement in statements { try db.execute(sql: statement) }
  }
}
