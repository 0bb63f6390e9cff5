import GRDB
import Subscriptions

/// Schema of the store: `schema.sql` has every table, index and view, in order.
///
/// There are no migrations, because no other schema has been released. Raise `version` with every change.
enum Schema {
  /// SQLite's application id: `stop` in ASCII.
  static let applicationID = 0x7374_6F70
  /// `PRAGMA user_version` of a store; a file without tables has 0.
  static let version = 31

  /// Creates the tables, unless this or another process has already done so.
  static func make(in pool: DatabasePool) throws {
    guard try pool.read(version(of:)) == 0 else { return }
    try pool.write { db in
      guard try version(of: db) == 0 else { return }
      try makeTables(in: db)
      try db.execute(sql: "PRAGMA application_id = \(applicationID); PRAGMA user_version = \(version)")
    }
  }

  static func makeTables(in db: Database) throws { try db.execute(sql: statements) }

  /// Statements of `schema.sql`, with the values that Swift code shares with them.
  private static let statements = {
    let now = "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)"
    let values = [
      "places_of_chain": "\(StoredEvent.placesOfChain)", "rollup_version": "\(RollupWriter.version)",
      "is_short": StoreQuery.isShort, "now": now, "lines_at_now": CurrentStateQuery.at(now),
      "transaction_shape_columns": columns(of: TransactionShape.sql),
      "event_shape_columns": columns(of: EventShape.sql),
      "position_shape_columns": columns(of: PositionShape.sql),
      "change_shape_columns": columns(of: ChangeShape.sql),
      "fact_shape_columns": columns(of: FactShape.sql),
      "cohort_shape_columns": columns(of: CohortShape.sql),
      "apple_report_shape_columns": columns(of: AppleReportShape.sql),
    ]
    return values.reduce(String(decoding: PackageResources.schema_sql, as: UTF8.self)) {
      $0.replacing("{\($1.key)}", with: $1.value)
    }
  }()

  private static func columns(of row: RowSQL) -> String { row.columns.joined(separator: ", ") }

  static func version(of db: Database) throws -> Int { try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0 }

  static func checkedVersion(of db: Database) throws -> Int {
    try check(db)
    return try version(of: db)
  }

  /// Views for people who open the file with another program, with a description of their rows.
  static let documentedViews = [
    ("v_lines", "a subscription in its current state"),
    ("v_transactions", "a transaction, with its meaning among its neighbours"),
    ("v_refunds", "a refunded transaction"),
    ("v_upgrades", "a transaction that was replaced by an upgrade, with its proration"),
    ("v_events", "an event of the feed; for a transfer, app_user_id is the new user"),
    ("v_receipts", "a receipt without its contents: its last check, due date, and why sweeps gave up on it"),
    ("v_rates", "an exchange rate from a day on: units of a currency per unit of the base"),
    ("v_sweeps", "a sweep: who started it, its results, how it ended"),
  ]

  /// Checks that a file is empty, or has this program's schema in the current version.
  static func check(_ db: Database) throws {
    let found = try version(of: db)
    let isEmpty = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema") == 0
    if isEmpty, found == 0 { return }
    guard try Int.fetchOne(db, sql: "PRAGMA application_id") == applicationID else {
      throw StoreError("it is another program's database; pass another --store")
    }
    guard found <= version else {
      throw StoreError(
        "it was written by a newer subtop (schema \(found)); update subtop or pass another --store")
    }
    guard found == version else {
      throw StoreError("it was written by an unreleased subtop; import into a new store with another --store")
    }
    try checkEntries(of: db)
  }
}

/// Checks of references that the schema does not declare, because SQLite would look up each on every write.
extension Schema {
  private static let unchecked: [(table: String, column: String, target: String)] = [
    ("transaction_rows", "shape_id", "transaction_shapes"), ("transaction_rows", "line_id", "lines"),
    ("transaction_rows", "duplicate_of", "transaction_rows"), ("event_rows", "shape_id", "event_shapes"),
    ("spans", "current_id", "transaction_rows"), ("spans", "renewal_info_id", "renewal_infos"),
    ("spans", "change_id", "change_classes"), ("spans", "position_id", "position_classes"),
    ("spans", "due_class_id", "fact_classes"),
    ("lines", "cohort_class_id", "cohort_classes"),
    ("apple_report_rows", "report_id", "apple_reports"),
    ("apple_report_rows", "shape_id", "apple_report_shapes"),
    ("change_classes", "old_position_id", "position_classes"),
    ("change_classes", "new_position_id", "position_classes"),
  ]

  /// Returns the number of dangling references, impossible sums, and rows with values out of range.
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
    } + countSumsOfNothing(db) + countOutOfRange(db)
  }

  /// Returns the number of stored sums that cannot be decoded, have no class or, if the sums are complete,
  /// are larger than their number of rows allows.
  private static func countSumsOfNothing(_ db: Database) throws -> Int {
    let (changes, facts, cohorts) = (
      try Set(Int64.fetchAll(db, sql: "SELECT id FROM change_classes")),
      try Set(Int64.fetchAll(db, sql: "SELECT id FROM fact_classes")),
      try Set(Int64.fetchAll(db, sql: "SELECT id FROM cohort_classes"))
    )
    let isWhole = try StoredLedger.isWhole(db)
    var count = 0
    try db.forEach("SELECT series, packed FROM sums") { row in
      let series = LedgerSeries(numbered: row.count(0))
      let measure = LedgerSeries.measure(ofNumber: row.count(0))
      let classes =
        switch series {
        case .changes: changes
        case .facts: facts
        case .cohorts: cohorts
        }
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
