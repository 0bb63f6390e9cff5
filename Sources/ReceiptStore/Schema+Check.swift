import GRDB
import Subscriptions

/// Check of the schema's SQL text, because an unknown table, index, trigger or view could make SQLite run
/// statements that the author of the file chose.
extension Schema {
  private struct Entry: Hashable {
    var type: String?
    var name: String?
    var table: String?
    /// SQL text; `nil` for the indexes that SQLite creates for `UNIQUE` and `PRIMARY KEY`.
    var sql: String?

    /// Type and name in ASCII, for messages, because a file can contain any name.
    var title: String {
      func plain(_ text: String?) -> String {
        String(
          (text ?? "").unicodeScalars.prefix(64).map {
            $0.isASCII && $0.properties.isIDContinue ? Character($0) : "?"
          })
      }
      return "\(plain(type)) \(plain(name))"
    }
  }

  /// Tables that `ANALYZE`, which other programs may run, creates for SQLite's query planner.
  private static let statistics = [
    ("sqlite_stat1", "CREATE TABLE sqlite_stat1(tbl,idx,stat)"),
    ("sqlite_stat4", "CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)"),
  ].map { Entry(type: "table", name: $0, table: $0, sql: $1) }

  private static let own = Result {
    try DatabaseQueue().write { db in
      try makeTables(in: db)
      return try entries(of: db)
    }
  }

  private static func entries(of db: Database) throws -> Set<Entry> {
    let rows = try db.rows("SELECT type, name, tbl_name, sql FROM sqlite_schema") {
      try Entry(type: $0.read(0), name: $0.read(1), table: $0.read(2), sql: $0.read(3))
    }
    return Set(rows)
  }

  /// Throws an error unless the schema's entries, except `statistics`, equal this program's, with their SQL.
  static func checkEntries(of db: Database) throws {
    let own = try Self.own.get()
    let found = try entries(of: db).subtracting(statistics)
    guard found != own else { return }
    func first(of entries: Set<Entry>) -> String? { entries.map(\.title).min() }
    let what =
      first(of: found.subtracting(own)).map { "the \($0) does not match subtop's schema" }
      ?? first(of: own.subtracting(found)).map { "it lacks the \($0)" } ?? "its schema is not subtop's"
    throw StoreError(
      "\(what); pass another --store, or restore a backup that you made yourself. Keep your own "
        + "views, indexes and triggers in another database that attaches this one")
  }
}

/// Checks of the ranges of stored numbers, and of the format of currencies; CHECK constraints would not help,
/// because SQLite does not evaluate them for a file that is opened read-only.
extension Schema {
  private static let price = "$ BETWEEN 0 AND \(Money.prices.upperBound)"
  /// Returns the SQL condition for a sum of monthly or converted amounts; `rows` is SQL for their number.
  private static func amounts(of rows: String = "1") -> String {
    "$ BETWEEN 0 AND max(0, ifnull(\(rows), 0)) * \(Money.largestAmount)"
  }
  private static let appleDate =
    "$ BETWEEN \(Instant.appStoreOpening.rawValue) AND \(StoredNumber.instants.upperBound)"
  private static let anything = "true"

  /// Conditions for columns by pattern of `table.column`; the first match applies, and `$` is the column.
  private static let ranges = [
    ("*currency", "$ GLOB '[A-Z][A-Z][A-Z]'"), ("rates.base", "$ GLOB '[A-Z][A-Z][A-Z]'"),
    ("*.user_number", anything), ("*.rates_fingerprint", anything), ("*.last_status", anything),
    ("sweep_*.status", anything), ("*.clock_ahead_ms", anything), ("sums.at", anything),
    ("changed_sums.at", anything), ("publication.*", "$ >= 0"),
    ("*_date_ms", appleDate), ("spans.from_ms", appleDate), ("transaction_rows.effective_end_ms", appleDate),
    ("transaction_rows.refunded_at_ms", appleDate), ("transaction_rows.upgraded_at_ms", appleDate),
    ("transaction_rows.cancelled_at_ms", appleDate),
    ("*_ms", "$ BETWEEN 0 AND \(StoredNumber.instants.upperBound) OR $ IN (\(Int64.min), \(Int64.max))"),
    ("*.is_*", "$ IN (0, 1)"), ("*.has_*", "$ IN (0, 1)"), ("*.auto_renew*", "$ IN (0, 1)"),
    ("*.quantity", "$ BETWEEN 0 AND 10000"), ("catalog.level", "$ BETWEEN 1 AND 1000"),
    ("rates.day", "$ BETWEEN -719162 AND 2932896"), ("rates.rate_picos", "$ > 0"),
    ("apple_report*day", "$ BETWEEN 0 AND 2932896"),
    ("apple_report_rows.units", "abs($) <= \(StoredNumber.counts.upperBound)"),
    ("apple_report_rows.*micros", "abs($) <= \(AppleReportRow.largestAmount)"),
    ("*.revocation_percentage", "$ BETWEEN 0 AND 100000"),
    ("episodes.later_*micros", amounts(of: "later_count")),
    ("episodes.last_*micros", amounts(of: "last_count")), ("episodes.micros", amounts()),
    ("*.monthly_micros", amounts()),
    ("*.converted_micros", amounts()), ("*micros", price),
    ("*", "$ BETWEEN 0 AND \(StoredNumber.counts.upperBound)"),
  ]

  static func countOutOfRange(_ db: Database) throws -> Int {
    let patterns = ranges.indices.map { "(\($0), ?, ?)" }.joined(separator: ", ")
    var conditions: [String: [String]] = [:]
    try db.forEach(
      """
      WITH ranges (place, columns, condition) AS (VALUES \(patterns))
      SELECT m.name, c.name, (
        SELECT condition FROM ranges WHERE m.name || '.' || c.name GLOB columns ORDER BY place LIMIT 1)
      FROM sqlite_schema m JOIN pragma_table_info(m.name) c WHERE m.type = 'table' AND m.name NOT GLOB 'sqlite_*'
        AND (c.type NOT IN ('TEXT', 'BLOB') OR c.name GLOB '*currency' OR c.name = 'base')
      """, StatementArguments(ranges.flatMap { [$0.0, $0.1] })
    ) { row in
      let (table, column, condition): (String, String, String) = try (row.read(0), row.read(1), row.read(2))
      conditions[table, default: []].append("NOT (\(condition.replacing("$", with: column)))")
    }
    return try conditions.reduce(0) { count, table in
      let isWrong = table.value.joined(separator: " OR ")
      return try count + (Int.fetchOne(db, sql: "SELECT count(*) FROM \(table.key) WHERE \(isWrong)") ?? 0)
    }
  }
}
