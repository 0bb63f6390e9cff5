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

  /// Whether amounts are told in the reporting currency as well.
  private var converts: Bool { catalog.exchange != nil }

  func changes(after start: Instant?, through end: Instant) throws -> [ChangeClass: Turnover] {
    var changes: [ChangeClass: Turnover] = [:]
    let stretch = LedgerStretch(after: start, through: end, .changes)
    for (number, sums) in try sums(
      stretch, of: .changes, converts ? [.own, .converted, .unconverted] : [.own])
    {
      guard let kind = classes[number] else { throw Self.missing("changes", number) }
      changes[kind] = Turnover(
        lines: sums.own.count, monthlyBefore: sums.own.before, monthlyAfter: sums.own.after,
        convertedBefore: Converted(micros: sums.converted.before, unconverted: sums.unconverted.before),
        convertedAfter: Converted(micros: sums.converted.after, unconverted: sums.unconverted.after))
    }
    for part in stretch.parts { try add(part, to: &changes) }
    return changes.filter { !$0.value.isZero }
  }

  /// What is added up of a class, where it is asked for.
  struct ClassSums {
    var own = StoredSum()
    var converted = StoredSum()
    var unconverted = StoredSum()
    var proceeds = StoredSum()

    fileprivate subscript(measure: LedgerMeasure) -> StoredSum {
      get {
        switch measure {
        case .own: own
        case .converted: converted
        case .unconverted: unconverted
        case .proceeds: proceeds
        }
      }
      set {
        switch measure {
        case .own: own = newValue
        case .converted: converted = newValue
        case .unconverted: unconverted = newValue
        case .proceeds: proceeds = newValue
        }
      }
    }
  }

  /// The whole hours of a stretch, by the numbers of classes.
  func sums(
    _ stretch: LedgerStretch, of series: LedgerSeries, _ measures: [LedgerMeasure]
  ) throws -> [Int64: ClassSums] {
    var sums: [Int64: ClassSums] = [:]
    for buckets in stretch.buckets {
      for measure in measures { try add(buckets, measure, of: series, to: &sums) }
    }
    return sums
  }

  static func missing(_ what: String, _ number: Int64) -> DatabaseError {
    DatabaseError(resultCode: .SQLITE_CORRUPT, message: "there is no class of \(what) \(number)")
  }

  private func add(
    _ buckets: LedgerBuckets, _ measure: LedgerMeasure, of series: LedgerSeries,
    to sums: inout [Int64: ClassSums]
  ) throws {
    var statement = try BoundStatement(
      """
      SELECT class_id, count, micros_before, micros_after FROM sums
      WHERE series = ? AND grain = ? AND at >= ? AND at < ?
      """, db)
    statement.bind(measure.number(of: series))
    statement.bind(buckets.grain.rawValue)
    statement.bind(buckets.range.lowerBound)
    statement.bind(buckets.range.upperBound)
    try statement.forEach { row in
      sums[row[0], default: ClassSums()][measure] += StoredSum(count: row[1], before: row[2], after: row[3])
    }
  }

  /// What of an hour is asked for, change by change.
  private func add(_ part: ClosedRange<Instant>, to changes: inout [ChangeClass: Turnover]) throws {
    var statement = try BoundStatement(
      """
      SELECT s.change_id, s.position_id, s.monthly_micros, ifnull(b.monthly_micros, 0), \(Self.converted("s")),
        \(Self.converted("b"))
      FROM spans s LEFT JOIN spans b ON b.line_id = s.line_id AND b.from_ms =
        (SELECT max(f.from_ms) FROM spans f WHERE f.line_id = s.line_id AND f.from_ms < s.from_ms)
      WHERE s.from_ms >= ? AND s.from_ms <= ? AND (s.change_id IS NOT NULL OR s.converted_micros IS NOT NULL)
      """, db)
    statement.bind(part.lowerBound)
    statement.bind(part.upperBound)
    try statement.forEach { row in
      var sum = Turnover()
      if converts {
        sum.convertedAfter = Converted(micros: row[4], unconverted: row[5])
        sum.convertedBefore = Converted(micros: row[6], unconverted: row[7])
      }
      let kind: ChangeClass
      if let number = row.number(0) {
        guard let change = classes[number] else { throw Self.missing("changes", number) }
        (sum.lines, sum.monthlyAfter, sum.monthlyBefore) = (1, row[2], row[3])
        kind = change
      } else {
        guard let position = positions[row[1]] else { throw Self.missing("positions", row[1]) }
        guard sum.convertedAfter != sum.convertedBefore else { return }
        kind = ChangeClass(old: position, new: position, flow: nil)
      }
      changes[kind, default: Turnover()] += sum
    }
  }

  /// Micros, and 1 where there is no rate.
  private static func converted(_ span: String) -> String {
    "ifnull(\(span).converted_micros, 0), ifnull(\(span).unconverted, 0)"
  }
}
