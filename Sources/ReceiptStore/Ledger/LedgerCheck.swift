import GRDB
import Subscriptions

/// Verifies derived rows against the evidence, and stored sums against the rows that they summarize.
///
/// Each chain is derived again. Derivation writes only differences, so on a read-only connection the first
/// difference is an error. The sums of all rows are written to a temporary table, and compared with the
/// stored sums.
enum LedgerCheck {
  /// Returns whether a rebuild would change nothing; `true` if the sums are incomplete and thus unused.
  static func agrees(_ db: Database) throws -> Bool {
    guard try StoredLedger.isWhole(db) else { return true }
    let isCounted = try Bool.fetchOne(
      db,
      sql: """
        SELECT receipts = (SELECT count(*) FROM receipts)
          AND transactions = (SELECT count(*) FROM transaction_rows WHERE duplicate_of IS NULL) FROM ledger_state
        """)
    guard isCounted == true else { return false }
    // Temporary tables hide those of the store with the same names.
    try db.execute(
      sql: """
        CREATE TEMP TABLE publication (id); CREATE TEMP TABLE ledger_state AS SELECT * FROM main.ledger_state;
        CREATE TEMP TABLE sums (series INTEGER, grain INTEGER, at INTEGER, packed BLOB, PRIMARY KEY (series, grain, at));
        """)
    defer {
      try? db.execute(sql: "DROP TABLE temp.publication; DROP TABLE temp.ledger_state; DROP TABLE temp.sums")
    }
    do {
      try addRows(db)
    } catch let error as DatabaseError where error.resultCode == .SQLITE_READONLY {
      // Derivation tried to write a difference.
      return false
    }
    return try Bool.fetchOne(
      db,
      sql: """
        SELECT is_complete AND (SELECT count(*) FROM temp.sums) = (SELECT count(*) FROM main.sums)
          AND NOT EXISTS (SELECT 1 FROM main.sums s LEFT JOIN temp.sums t USING (series, grain, at)
            WHERE t.packed IS NOT s.packed) FROM temp.ledger_state
        """) == true
  }

  private static func addRows(_ db: Database) throws {
    let catalog = try CatalogTable.readWithRates(db)
    let book = RollupWriter(db: db, catalog: catalog)
    let derivation = Derivation(db: db, catalog: catalog, ledger: book)
    var last = Int64.min
    while let chains = try ChainEvidence.fetch(after: &last, book.shapes, db) {
      for (evidence, feed) in zip(chains, try StoredEvent.fetch(of: chains, book.shapes, db)) {
        // This adds the facts that depend on several tables; `touch` was not called, so it subtracts none.
        try derivation.derive(evidence, feed: feed, isCounted: true)
        for transaction in evidence.transactions { try transaction.count(book) }
        for stored in feed { try book.add(stored.event.fact) }
        for line in try Int64.all(db, "SELECT id FROM lines WHERE chain_id = ?", [evidence.record.id]) {
          try StoredSpans(lineID: line, book: book, db: db).count(times: 1)
          try StoredEpisodes(lineID: line, book: book, db: db).count(times: 1)
        }
      }
      try book.flush()
    }
    try book.finish()
  }
}
