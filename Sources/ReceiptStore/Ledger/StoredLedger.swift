import GRDB
import Subscriptions

/// Ledger that reads complete hours from stored sums, and parts of hours from spans and rows.
final class StoredLedger: Ledger {
  let db: Database
  let catalog: Catalog
  let cache: LedgerClasses
  let classes: LedgerClasses.Known
  let evidence: EvidenceAsOf
  private let isWhole: Bool

  init(db: Database, catalog: Catalog, classes: LedgerClasses) throws {
    (self.db, self.catalog, cache) = (db, catalog, classes)
    evidence = EvidenceAsOf(db: db)
    self.classes = try classes.read(db)
    isWhole = try Self.isWhole(db)
  }

  var positions: [Int64: PositionClass] { classes.positions }

  var numberedChanges: [(number: Int64, kind: ChangeClass)] {
    classes.changes.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  func receipts() throws -> Int {
    try Int.fetchOne(db.cachedStatement(sql: "SELECT receipts FROM ledger_state")) ?? 0
  }

  func hasOneTimePurchases(_ question: Question) throws -> Bool {
    let scope = StoreQuery(db: db, question: question).environment("s.environment")
    let found = try db.rows(
      """
      SELECT 1 FROM transaction_rows x JOIN transaction_shapes s ON s.id = x.shape_id
      WHERE x.expires_date_ms IS NULL AND x.purchase_date_ms <= ? AND \(scope) LIMIT 1
      """, [question.at]
    ) { $0[0] as Int64 }
    return !found.isEmpty
  }

  var converts: Bool { catalog.exchange != nil }

  func changes(after start: Instant?, through end: Instant) throws -> [ChangeClass: ChangeSum] {
    var sums: [ChangeClass: ChangeSum] = [:]
    let stretch = LedgerStretch(after: start, through: end, .changes)
    try forEachSum(stretch.buckets, of: .changes, converts ? [.own, .converted, .unconverted] : [.own]) {
      sums[try change(numbered: $1), default: ChangeSum()] += ChangeSum($3, $2)
    }
    for part in stretch.parts {
      for (kind, sum) in try readChanges(in: part) { sums[kind, default: ChangeSum()] += sum }
    }
    return sums.filter { !$0.value.isZero }
  }

  /// Calls `body` with every sum in the buckets: bucket number, class number, measure and sum.
  func forEachSum(
    _ buckets: [LedgerBuckets], of series: LedgerSeries, _ measures: [LedgerMeasure],
    _ body: (Int64, Int64, LedgerMeasure, StoredSum) throws -> Void
  ) throws {
    for buckets in buckets {
      for measure in measures {
        SharedNeeds.require(
          .sums(series: series.number(of: measure), grain: buckets.grain.rawValue, buckets.range))
        try db.forEach(
          "SELECT packed, at FROM sums WHERE series = ? AND grain = ? AND at >= ? AND at < ?",
          [
            series.number(of: measure), buckets.grain.rawValue, buckets.range.lowerBound,
            buckets.range.upperBound,
          ]
        ) { row in
          try PackedSums.forEach(row.bytes(0)) { kind, sum in
            // Incomplete sums may have any value.
            guard !isWhole || sum.isPossible(measure, of: series) else {
              throw DamagedValue(column: "packed")
            }
            try body(row[1], kind, measure, sum)
          }
        }
      }
    }
  }

  static func missing(_ what: String, _ number: Int64) -> DatabaseError {
    DatabaseError(resultCode: .SQLITE_CORRUPT, message: "class \(number) of \(what) is missing")
  }

  private func change(numbered number: Int64) throws -> ChangeClass {
    guard let kind = classes.changes[number] else { throw Self.missing("changes", number) }
    return kind
  }

  private func readChanges(in part: ClosedRange<Instant>) throws -> [(ChangeClass, ChangeSum)] {
    try SharedNeeds.refuseParts()
    return try db.rows(converts ? Self.convertedChanges : Self.changes, [part.lowerBound, part.upperBound]) {
      row in
      var sum = ChangeSum()
      if converts { (sum.convertedAfter, sum.convertedBefore) = (row.converted(4), row.converted(6)) }
      if let number = row.number(0) {
        (sum.lines, sum.monthlyAfter, sum.monthlyBefore) = (1, row.sum(2), row.sum(3))
        return (try change(numbered: number), sum)
      }
      guard sum.convertedAfter != sum.convertedBefore else { return nil }
      guard let renewal = classes.renewals[row[1]] else { throw Self.missing("renewals", row[1]) }
      return (try change(numbered: renewal), sum)
    }
  }

  private static let changes = """
    SELECT s.change_id, s.position_id, s.monthly_micros, (
        SELECT b.monthly_micros FROM spans b WHERE b.line_id = s.line_id AND b.from_ms < s.from_ms
        ORDER BY b.from_ms DESC LIMIT 1) AS monthly_micros
    FROM spans s WHERE s.from_ms >= ? AND s.from_ms <= ? AND s.change_id IS NOT NULL
    """

  /// Like `changes`, but with converted amounts, and with spans that may change only these amounts.
  private static let convertedChanges = """
    SELECT s.change_id, s.position_id, s.monthly_micros, b.monthly_micros, \(converted("s")),
      \(converted("b"))
    FROM spans s LEFT JOIN spans b ON b.line_id = s.line_id AND b.from_ms =
      (SELECT max(f.from_ms) FROM spans f WHERE f.line_id = s.line_id AND f.from_ms < s.from_ms)
    WHERE s.from_ms >= ? AND s.from_ms <= ? AND (s.change_id IS NOT NULL OR s.converted_micros IS NOT NULL)
    """

  /// Returns SQL for two columns: the converted amount in micros, and 1 if there is no exchange rate.
  private static func converted(_ span: String) -> String { "\(span).converted_micros, \(span).unconverted" }

  func rows(
    behind figure: String?, of rows: EpisodeCounting, atMost most: Int, _ reading: ListReading
  ) throws -> [FigureRow] {
    guard most > 0 else { return [] }
    return try rows.families.flatMap { try self.rows(behind: figure, of: $0, rows, atMost: most, reading) }
  }

  private func rows(
    behind figure: String?, of family: FactFamily, _ rows: EpisodeCounting, atMost most: Int,
    _ reading: ListReading
  ) throws -> [FigureRow] {
    let selection = rows.selection(family)
    Self.require(selection)
    // No later purchase follows `settled_ms`. Offers without one keep their start, to stop reading early.
    let latest =
      EpisodeCounting.areOfLater(figure, of: family)
      ? "iif(later_class_id IS NULL AND irregular_until_ms IS NULL, from_ms, min(settled_ms, :t))" : "from_ms"
    let candidates = """
      SELECT \(latest) AS latest, (SELECT chain_id FROM lines l WHERE l.id = line_id), class_id, next_ms,
        until_ms > :t, irregular_until_ms > :t, from_ms
      FROM \(Self.source(selection)) ORDER BY latest DESC
      """
    return try newest(most, behind: figure, of: candidates, Self.arguments(selection), reading) { row in
      guard let kind = classes.facts[row[2]] else { return nil }
      let outcome = Episode.Outcome(at: selection.at, next: row.instant(3), lasts: row.isTrue(4))
      return row.isTrue(5) || rows.mayBeBehind(figure, kind, outcome, from: row.date(6)) ? row[1] : nil
    } rows: { chain in
      chain.lines(catalog: catalog).flatMap { rows.rows(of: $0, [family], catalog) }
    }
  }
}

extension ChangeSum {
  fileprivate init(_ sum: StoredSum, _ measure: LedgerMeasure) {
    switch measure {
    case .own: self.init(lines: sum.count, monthlyBefore: Int128(sum.before), monthlyAfter: Int128(sum.after))
    case .converted:
      self.init(
        convertedBefore: Converted(micros: Int128(sum.before)),
        convertedAfter: Converted(micros: Int128(sum.after)))
    case .unconverted:
      self.init(
        convertedBefore: Converted(unconverted: sum.before),
        convertedAfter: Converted(unconverted: sum.after))
    case .proceeds: self.init()
    }
  }
}
