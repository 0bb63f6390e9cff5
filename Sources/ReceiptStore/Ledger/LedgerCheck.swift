import GRDB
import Subscriptions

/// Comparison of stored sums and cohorts with the rows that they add up.
///
/// All sums are compared at once. Each class, hour, day and so on has a random factor: the sums of the table are added up under these
/// factors, and those of the rows are subtracted. What remains is 0 only if all agree.
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
  private let book: RollupWriter
  private var remainder: UInt64 = 0
  private let factors = (0..<4).map { _ in UInt64.random(in: 1...(.max)) }

  private init(_ db: Database) throws {
    (self.db, catalog) = (db, try CatalogTable.readWithRates(db))
    book = RollupWriter(db: db, exchange: catalog.exchange)
  }

  /// Whether the sums are those of the rows. Sums that no figure is read from are not looked at.
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
      // A class of the rows is not there, which would be made now.
      return false
    }
    try check.addSums()
    return check.remainder == 0
  }

  private func subtractLines() throws {
    var page = try ChainPage.fetch(after: .min, atMost: 200, db)
    while let last = page.records.last {
      for chain in page.records {
        let lines = try db.cachedStatement(sql: "SELECT id FROM lines WHERE chain_id = ?")
        for line in try Int64.fetchAll(lines, arguments: [chain.id]) {
          try StoredSpans(lineID: line, book: book, catalog: catalog, db: db).takeOff()
          try StoredEpisodes(lineID: line, book: book, db: db).takeOff()
        }
        let standing = try StoredStanding.lines(of: chain, db).flatMap {
          $0.facts(validatedAt: chain.validatedAt, catalog: catalog)
        }
        for fact in standing { try book.add(fact, times: -1) }
      }
      try take()
      page = try ChainPage.fetch(after: last.id, atMost: 200, db)
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

  /// Adds what the books have taken to the remainder.
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
