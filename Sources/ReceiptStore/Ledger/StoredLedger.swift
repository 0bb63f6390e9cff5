import GRDB
import Subscriptions

/// The ledger as the store keeps it: whole hours from its sums, parts of one from the spans and the rows.
struct StoredLedger: Ledger {
  let db: Database
  let catalog: Catalog
  let classes: [Int64: ChangeClass]
  let factClasses: FactClasses
  let evidence: EvidenceAsOf
  /// By the numbers under which sums name them.
  let numberedFacts: [Int64: FactClass]
  private let positions: [Int64: PositionClass]

  init(db: Database, catalog: Catalog, classes: LedgerClasses, factClasses: FactClasses) throws {
    (self.db, self.catalog, self.factClasses) = (db, catalog, factClasses)
    evidence = EvidenceAsOf(db: db)
    (self.classes, positions) = try classes.read(db)
    numberedFacts = try factClasses.read(db)
  }

  /// The numbers under which spans name classes of positions.
  func numbers(where isMeant: (PositionClass) -> Bool) -> [Int64] {
    positions.filter { isMeant($0.value) }.keys.sorted()
  }

  func receipts() throws -> Int {
    try Int.fetchOne(db.cachedStatement(sql: "SELECT receipts FROM ledger_state")) ?? 0
  }

  func changes(after start: Instant?, through end: Instant) throws -> [ChangeClass: Turnover] {
    var sums: [Int64: Turnover] = [:]
    let stretch = LedgerStretch(after: start, through: end, .changes)
    for buckets in stretch.buckets { try add(buckets, of: .changes, to: &sums) }
    for part in stretch.parts { try add(part, to: &sums) }
    var changes: [ChangeClass: Turnover] = [:]
    for (number, sum) in sums where !sum.isZero {
      guard let kind = classes[number] else { throw Self.missing("changes", number) }
      changes[kind] = sum
    }
    return changes
  }

  static func missing(_ what: String, _ number: Int64) -> DatabaseError {
    DatabaseError(resultCode: .SQLITE_CORRUPT, message: "there is no class of \(what) \(number)")
  }

  func add(_ buckets: LedgerBuckets, of series: LedgerSeries, to sums: inout [Int64: Turnover]) throws {
    var statement = try BoundStatement(
      """
      SELECT class_id, count, micros_before, micros_after FROM sums
      WHERE series = ? AND grain = ? AND at >= ? AND at < ?
      """, db)
    statement.bind(series.number)
    statement.bind(buckets.grain.rawValue)
    statement.bind(buckets.range.lowerBound)
    statement.bind(buckets.range.upperBound)
    try statement.forEach { row in
      sums[row[0], default: Turnover()] += Turnover(
        lines: row[1], monthlyBefore: row[2], monthlyAfter: row[3])
    }
  }

  /// What of an hour is asked for, change by change.
  private func add(_ part: ClosedRange<Instant>, to sums: inout [Int64: Turnover]) throws {
    var statement = try BoundStatement(
      """
      SELECT s.change_id, s.monthly_micros, ifnull((SELECT b.monthly_micros FROM spans b
        WHERE b.line_id = s.line_id AND b.from_ms < s.from_ms ORDER BY b.from_ms DESC LIMIT 1), 0)
      FROM spans s WHERE s.change_id IS NOT NULL AND s.from_ms >= ? AND s.from_ms <= ?
      """, db)
    statement.bind(part.lowerBound)
    statement.bind(part.upperBound)
    try statement.forEach { row in
      sums[row[0], default: Turnover()] += Turnover(lines: 1, monthlyBefore: row[2], monthlyAfter: row[1])
    }
  }
}
