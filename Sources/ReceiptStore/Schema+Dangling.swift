import GRDB

/// What SQLite is not told to check, since it would look each reference up as it is written.
extension Schema {
  private static let unchecked: [(table: String, column: String, target: String)] = [
    ("transaction_rows", "shape_id", "transaction_shapes"), ("transaction_rows", "line_id", "lines"),
    ("transaction_rows", "duplicate_of", "transaction_rows"), ("event_rows", "shape_id", "event_shapes"),
    ("spans", "current_id", "transaction_rows"), ("spans", "renewal_info_id", "renewal_infos"),
    ("spans", "change_id", "change_classes"), ("spans", "position_id", "position_classes"),
    ("spans", "due_class_id", "fact_classes"),
    ("cohort_sums", "class_id", "cohort_classes"), ("lines", "cohort_class_id", "cohort_classes"),
    ("change_classes", "old_position_id", "position_classes"),
    ("change_classes", "new_position_id", "position_classes"),
  ]

  /// How many rows point to rows that are not there, or hold sums that cannot be.
  static func countDangling(_ db: Database) throws -> Int {
    try unchecked.reduce(0) { count, reference in
      let (table, column, target) = reference
      let found = try Int.fetchOne(
        db,
        sql: """
          SELECT count(*) FROM \(table) r WHERE r.\(column) IS NOT NULL
            AND NOT EXISTS (SELECT 1 FROM \(target) t WHERE t.id = r.\(column))
          """)
      return count + (found ?? 0)
    } + countSumsOfNothing(db)
  }

  /// Sums of classes that are not there, those that cannot be read, and those that so few rows cannot have.
  private static func countSumsOfNothing(_ db: Database) throws -> Int {
    let changes = try Set(Int64.fetchAll(db, sql: "SELECT id FROM change_classes"))
    let facts = try Set(Int64.fetchAll(db, sql: "SELECT id FROM fact_classes"))
    let isWhole = try StoredLedger.isWhole(db)
    var count = 0
    var statement = try BoundStatement("SELECT series, packed FROM sums", db)
    try statement.forEach { row in
      let series = LedgerSeries(numbered: row.count(0))
      let measure = LedgerMeasure(rawValue: row.count(0) / LedgerMeasure.apart) ?? .own
      let classes = series == .changes ? changes : facts
      do {
        count += try PackedSums.unpack(row.bytes(1)).count {
          !classes.contains($0.kind) || isWhole && !$0.sum.isPossible(measure, of: series)
        }
      } catch {
        count += 1
      }
    }
    return count
  }
}
