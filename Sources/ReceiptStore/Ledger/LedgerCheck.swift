import GRDB
import Subscriptions

/// Verifies derived rows against the evidence, and stored sums against the rows that they summarize.
///
/// Each chain is derived again, on a read-only connection, where writing the first difference is an error.
///
/// All sums are verified together: each class in each time bucket has a random factor, and the sums of the
/// rows times the factors are subtracted from the stored sums times the factors. The remainder is 0 if all
/// agree, and otherwise almost never.
final class LedgerCheck {
  private struct Place: Hashable {
    var series: Int
    var grain: Int
    var at: Int64
    var kind: Int64
  }

  private let db: Database
  private let catalog: Catalog
  private let book: RollupWriter
  private var remainder: UInt64 = 0
  private let factors = (0..<3).map { _ in UInt64.random(in: 1...(.max)) }

  private init(_ db: Database) throws {
    (self.db, catalog) = (db, try CatalogTable.readWithRates(db))
    book = RollupWriter(db: db, catalog: catalog)
  }

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
    let check = try LedgerCheck(db)
    do {
      try check.subtractLines()
      try check.subtractRows()
    } catch let error as DatabaseError where error.resultCode == .SQLITE_READONLY {
      // Derivation tried to write a difference.
      return false
    }
    try check.addSums()
    return check.remainder == 0
  }

  private func subtractLines() throws {
    let derivation = Derivation(db: db, catalog: catalog, ledger: book)
    var last = Int64.min
    while let chains = try ChainEvidence.fetch(after: &last, book.shapes, db) {
      for (evidence, entries) in zip(chains, try StoredEvent.fetch(of: chains, book.shapes, db)) {
        let chain = evidence.record
        try book.touch(chain)
        try derivation.derive(evidence, feed: entries, isCounted: true)
        try book.touch(chain)
        for line in try Int64.all(db, "SELECT id FROM lines WHERE chain_id = ?", [chain.id]) {
          try StoredSpans(lineID: line, book: book, db: db).takeOff()
          try StoredEpisodes(lineID: line, book: book, db: db).takeOff()
        }
      }
      take()
    }
  }

  private func subtractRows() throws {
    try db.forEach("SELECT shape_id, \(RowDates.columns) FROM transaction_rows") { row in
      let shape = try book.shapes.existing(row[0], TransactionShape.self)
      try book.add(row[0], RowDates(row, from: 1), times: -1) { shape }
      take()
    }
    try db.forEach(
      """
      SELECT s.new_product_id, c.environment, s.product_id, e.effective_at_ms
      FROM event_rows e CROSS JOIN event_shapes s ON s.id = e.shape_id CROSS JOIN chains c ON c.id = e.chain_id
      """
    ) { row in
      let kind = FactClass(
        .event(newProduct: row.text(0)), StoreEnvironment(row.text(1) ?? ""),
        product: ProductID(row.text(2) ?? ""))
      try book.add(Fact(row.date(3), kind), times: -1)
      take()
    }
  }

  private func addSums() throws {
    try db.forEach("SELECT series, grain, at, packed FROM sums") { row in
      try PackedSums.forEach(row.bytes(3)) { kind, sum in
        add(
          [sum.count, sum.before, sum.after],
          Place(series: row.count(0), grain: row.count(1), at: row[2], kind: kind))
      }
    }
  }

  /// Moves the entries of `book` to the remainder.
  private func take() {
    for (series, finest, kind, sum) in book.takeEntries() {
      var at = finest
      let grains = LedgerSeries(numbered: series).grains
      for grain in grains {
        if grain != grains[0] { at = grain.place(of: at) }
        add(
          [sum.count, sum.before, sum.after],
          Place(series: series, grain: grain.rawValue, at: at, kind: kind))
      }
    }
  }

  private func add(_ numbers: [Int64], _ place: Place) {
    let factor = UInt64(bitPattern: Int64(place.hashValue))
    for (number, own) in zip(numbers, factors) { remainder &+= factor &* own &* UInt64(bitPattern: number) }
  }
}
