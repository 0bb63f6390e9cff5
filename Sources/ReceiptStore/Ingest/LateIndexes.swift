import GRDB

/// Indexes that a large import goes without, to be made of everything at its end.
///
/// Each of them would have every row go into a page of its own, which was read for it: of an import into two million
/// transactions that was two thirds. None of them is asked while answers are written.
struct LateIndexes {
  private static let names =
    [
      "transactions_id", "transactions_order", "transactions_purchase", "transactions_expires",
      "transactions_effective_end", "events_effective", "events_observed", "lines_first_paid",
      "signed_terms_account",
    ] + ofSpans
  private static let ofSpans = [
    "spans_from", "spans_unpaid", "spans_unpaid_long", "episodes_from", "episodes_settled",
  ]

  /// What an index of everything costs a row, over what it costs to put a row into an index that does not fit in memory.
  private static let ratio = 40

  private let standing: Int
  /// What makes them again; nothing where they are in their place.
  private var statements: [String] = []

  init(_ db: Database) throws {
    standing = try Int.fetchOne(db, sql: "SELECT transactions FROM ledger_state") ?? 0
  }

  /// Takes them away where so much was added to what stood that all of them are better made anew. They are back when the
  /// commit is, or when it is rolled back.
  ///
  /// - Parameter added: transactions so far.
  mutating func takeIfWorthwhile(added: Int, _ db: Database) throws {
    guard statements.isEmpty, added * Self.ratio >= standing else { return }
    try take(Self.names, db)
  }

  /// The same of those of spans, where all of these are written anew: three million, with an index on their beginnings, took 20 s of
  /// processor time, and 7 s with the index made at the end.
  mutating func takeThoseOfSpans(_ db: Database) throws { try take(Self.ofSpans, db) }

  private mutating func take(_ names: [String], _ db: Database) throws {
    let places = Array(repeating: "?", count: names.count).joined(separator: ", ")
    statements = try String.fetchAll(
      db, sql: "SELECT sql FROM sqlite_schema WHERE type = 'index' AND name IN (\(places))",
      arguments: StatementArguments(names))
    for name in names { try db.execute(sql: "DROP INDEX IF EXISTS \(name)") }
  }

  /// - Parameter progress: is told which of how many is begun; false to make no more.
  /// - Returns: false where some are missing, so that the commit is to be rolled back.
  func make(_ db: Database, progress: (Int, Int) -> Bool) throws -> Bool {
    for (index, statement) in statements.enumerated() {
      guard progress(index + 1, statements.count) else { return false }
      try db.execute(sql: statement)
    }
    return true
  }
}
