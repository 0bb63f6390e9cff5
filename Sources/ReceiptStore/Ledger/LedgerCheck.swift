import GRDB
import Subscriptions

/// Verifies derived rows against the evidence, and sums and cohorts against the rows that they add up.
///
/// Each chain is derived as after an answer, which writes only differences. On a read-only connection the
/// first difference is an error.
///
/// The sums are verified together. Each class and each bucket of time has a random factor. The stored sums
/// are added multiplied by their factors, and the sums of the rows are subtracted. The remainder is 0 if all
/// agree; otherwise it is almost never 0.
final class LedgerCheck {
  private struct Place: Hashable {
    /// Number of a series; for cohorts, `cohorts` plus the months since the first payment.
    var series: Int
    var grain: Int
    var at: Int64
    var kind: Int64
  }

  private static let cohorts = 1024

  private let db: Database
  private let catalog: Catalog
  private let ledger: RollupTransaction
  private var book: RollupWriter { ledger.book }
  private var remainder: UInt64 = 0
  private let factors = (0..<4).map { _ in UInt64.random(in: 1...(.max)) }

  private init(_ db: Database) throws {
    (self.db, catalog) = (db, try CatalogTable.readWithRates(db))
    ledger = RollupTransaction(db: db, catalog: catalog)
  }

  /// Returns whether a rebuild would change nothing. Always `true` if the sums are incomplete, since then no
  /// figure is read from them.
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
      // Derivation found a difference.
      return false
    }
    try check.addSums()
    return check.remainder == 0
  }

  private func subtractLines() throws {
    let derivation = Derivation(db: db, catalog: catalog, ledger: ledger)
    let feed = StoredFeed(shapes: book.shapes, db: db)
    var last = Int64.min
    while true {
      let chains = try ChainEvidence.fetch(.fetch(after: last, atMost: 200, db), book.shapes, db)
      guard let newest = chains.last else { return }
      for (evidence, entries) in zip(chains, try feed.fetch(of: chains)) {
        let chain = evidence.record
        let read = ReadChain(evidence, feed: entries, catalog: catalog)
        try ledger.touch(chain)
        try derivation.derive(read, isCounted: true)
        for fact in read.derived.standing { try book.add(fact, times: -1) }
        let lines = try db.cachedStatement(sql: "SELECT id FROM lines WHERE chain_id = ?")
        for line in try Int64.fetchAll(lines, arguments: [chain.id]) {
          try StoredSpans(lineID: line, book: book, catalog: catalog, db: db).takeOff()
          try StoredEpisodes(lineID: line, book: book, db: db).takeOff()
        }
      }
      try take()
      last = newest.record.id
    }
  }

  private func subtractRows() throws {
    var rows = try BoundStatement("SELECT shape_id, \(RowDates.columns) FROM transaction_rows", db)
    try rows.forEach { row in
      guard let known = try book.shapes.shape(numbered: row[0], TransactionShape.self) else {
        throw AttributeDictionary.missing(row[0])
      }
      try book.add(row[0], RowDates(row, from: 1), times: -1) { known.shape }
      try take()
    }
    let events = try FetchedRow.fetchCursor(
      db,
      sql: """
        SELECT s.new_product_id, c.environment, s.product_id, e.effective_at_ms
        FROM event_rows e CROSS JOIN event_shapes s ON s.id = e.shape_id CROSS JOIN chains c ON c.id = e.chain_id
        """)
    while let row = try events.next() {
      let kind = FactKind.event(newProduct: try row[0])
      try book.add(Fact(row[3], FactClass(kind, StoreEnvironment(row[1]), product: row[2])), times: -1)
      try take()
    }
  }

  private func addSums() throws {
    var sums = try BoundStatement("SELECT series, grain, at, packed FROM sums", db)
    try sums.forEach { row in
      try PackedSums.forEach(row.bytes(3)) { kind, sum in
        add(
          [sum.count, sum.before, sum.after],
          Place(series: row.count(0), grain: row.count(1), at: row[2], kind: kind))
      }
    }
    var cohorts = try BoundStatement(
      "SELECT lines, micros, converted_micros, unconverted, months, grain, at, class_id FROM cohort_sums", db)
    try cohorts.forEach { row in
      add(
        (0..<4).map { row[$0] },
        Place(series: Self.cohorts + row.count(4), grain: row.count(5), at: row[6], kind: row[7]))
    }
  }

  /// Adds the entries of the books to the remainder.
  private func take() throws {
    for (series, finest, kind, sum) in book.takeEntries() {
      var at = finest
      let first = LedgerSeries(numbered: series).finest
      for grain in LedgerGrain.allCases[first.rawValue...] {
        if grain != first { at = flooredQuotient(at, over: grain.length) }
        add(
          [sum.count, sum.before, sum.after],
          Place(series: series, grain: grain.rawValue, at: at, kind: kind))
      }
    }
    for (grain, months, at, kind, sum) in try book.cohorts.takeEntries() {
      let amounts = [sum.micros, sum.converted.micros].map { Int64(truncatingIfNeeded: $0) }
      add(
        [sum.rows] + amounts + [sum.converted.unconverted],
        Place(series: Self.cohorts + months, grain: grain.rawValue, at: at, kind: kind))
    }
  }

  private func add(_ numbers: [Int64], _ place: Place) {
    let factor = UInt64(bitPattern: Int64(place.hashValue))
    for (number, own) in zip(numbers, factors) {
      remainder &+= factor &* own &* UInt64(bitPattern: number)
    }
  }
}
