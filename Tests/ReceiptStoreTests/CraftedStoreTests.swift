import Foundation
import GRDB
import Glibc
import ReceiptStore
import Subscriptions
import TestSupport
import Testing

/// A store file that other programs changed must be rejected or reported as damaged.
@Suite struct CraftedStoreTests {
  struct Schema: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var sql: String
    var says: String

    init(_ name: String, _ sql: String, _ says: String = "") {
      (testDescription, self.sql, self.says) = (name, sql, says)
    }

    static func changing(_ table: String, _ old: String, _ new: String) -> String {
      "UPDATE sqlite_schema SET sql = replace(sql, '\(old)', '\(new)') WHERE name = '\(table)'"
    }
  }

  private static let endless =
    "CREATE VIEW v_lines AS WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i FROM n) SELECT i FROM n"

  static let schemas = [
    Schema(
      "a trigger",
      "CREATE TRIGGER cheap AFTER INSERT ON catalog BEGIN UPDATE catalog SET price_micros = 1; END",
      "the trigger cheap does not match subtop's schema"),
    Schema(
      "another trigger of its own", Schema.changing("receipts_added", "+ 1", "+ 2"),
      "the trigger receipts_added"),
    Schema(
      "a view in place of a table",
      "ALTER TABLE catalog RENAME TO kept; CREATE VIEW catalog AS SELECT * FROM kept", "the table kept"),
    Schema("an index on an expression", "CREATE INDEX slow ON catalog (abs(price_micros))", "the index slow"),
    Schema("a virtual table", "CREATE VIRTUAL TABLE words USING fts5 (word)", "the table words"),
    Schema("a view of one's own", "CREATE VIEW mine AS SELECT 1", "the view mine"),
    Schema("a table of one's own", "CREATE TABLE notes (text)", "the table notes"),
    Schema("an endless view", "DROP VIEW v_lines; \(endless)", "the view v_lines"),
    Schema(
      "a check",
      Schema.changing("rates", "day INTEGER NOT NULL", "day INTEGER NOT NULL CHECK (abs(day) > 0)"),
      "the table rates"),
    Schema("a column", "ALTER TABLE rates ADD COLUMN more INTEGER AS (1 + rate_picos)", "the table rates"),
    Schema("no strictness", Schema.changing("rates", ") STRICT", ")"), "the table rates"),
    Schema("an index less", "DROP INDEX chains_gone", "it lacks the index chains_gone"),
    Schema("a name that commands a terminal", "CREATE VIEW \"\u{1b}]0;x\" AS SELECT 1", "the view ??0?x"),
    Schema(
      "statistics of another kind", "ANALYZE; " + Schema.changing("sqlite_stat1", "tbl", "tbl,more"),
      "sqlite_stat1"),
    Schema(
      "a deep expression", "CREATE VIEW deep AS SELECT 1\(String(repeating: "+1", count: 500))",
      "malformed database schema (deep)"),
    Schema(
      "a long view", "CREATE VIEW long AS SELECT 1 /*\(String(repeating: "x", count: 20_000_000))*/",
      "larger than subtop ever writes"),
    Schema(
      "an entry without a name", "INSERT INTO sqlite_schema VALUES (NULL, NULL, NULL, 0, NULL)",
      "malformed database schema"),
  ]

  @Test(arguments: schemas) func ofAnotherSchemaIsRefused(_ schema: Schema) throws {
    let store = try CraftedStore()
    try store.write(schema.sql)
    let place = store.folder.file("place.sqlite")
    _ = try ReceiptStore(path: place)
    for open: () throws -> Void in [
      { _ = try ReceiptStore(path: store.path) },
      { _ = try ReceiptStore(path: store.path, access: .existing).rebuild() },
      { _ = try ReceiptStore(path: store.path, access: .readOnly).status(at: day(1), check: true) },
      { _ = try ReceiptStore(path: store.path, access: .readOnly).restore(to: place, replacing: true) },
    ] {
      let error = #expect(throws: StoreError.self) { try open() }
      #expect(
        error?.kind == .unusable && error?.description.contains(schema.says) == true,
        "\(error?.description ?? "")")
    }
    // The rejected file can still be replaced by a restore, which keeps it.
    let copy = store.folder.file("copy.sqlite")
    try ReceiptStore(path: place).backUp(to: copy, replacing: false)
    let kept = try ReceiptStore(path: copy, access: .readOnly).restore(to: store.path, replacing: true)
    #expect(kept != nil)
    _ = try ReceiptStore(path: store.path)
  }

  /// ANALYZE adds SQLite's own tables; VACUUM rewrites the file.
  @Test(arguments: ["ANALYZE", "VACUUM", "PRAGMA optimize"]) func acceptsMaintenanceBySQLite(
    _ sql: String
  ) throws {
    let store = try CraftedStore()
    try store.write(sql)
    #expect(try ReceiptStore(path: store.path).status(at: day(1), check: true).integrity == "ok")
  }

  @Test func theWholeStoreIsTaken() throws {
    let store = try CraftedStore()
    #expect(store.use() == [])
  }

  static let values = [
    "9223372036854775807", "'PRIVATE'", "-9223372036854775808", "NULL", "4611686018427387904", "x'FF00FF'",
    "-1", "1e300",
    "123456789012345678",
  ]

  /// Writes one value into a sixth of the columns, or all values into all if `SUBTOP_SOAK_WORLDS` is set.
  @Test(arguments: Set(CraftedStore.columns.map(\.table)).sorted())
  func unexpectedValuesDoNotCrash(_ table: String) throws {
    let columns = CraftedStore.columns.filter { $0.table == table }
    let all = getenv("SUBTOP_SOAK_WORLDS") != nil
    for (place, column) in columns.enumerated() where all || place % 6 == table.utf8.count % 6 {
      for value in all ? Self.values : [Self.values[place % Self.values.count]] {
        let store = try CraftedStore()
        do {
          try store.fill(column, with: value)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_MISMATCH {
          // Row ids are integers even in tables that are not strict.
          continue
        }
        let said = store.use()
        #expect(
          !said.contains { $0.contains("PRIVATE") || $0.contains("MII") }, "\(column) \(value): \(said)")
      }
    }
  }

  @Test(arguments: ["receipts", "transactions"]) func aCountThatCannotGrowIsDamage(_ column: String) throws {
    let store = try CraftedStore()
    try store.write("UPDATE ledger_state SET \(column) = 9223372036854775807")
    #expect(store.use().contains { $0.contains("larger than subtop ever writes, so it is damaged") })
  }

  private static func sums(_ elements: (Int64, Int64, Int64, Int64)...) -> String {
    let bytes = PackedSums.pack(elements.map { ($0, StoredSum(count: $1, before: $2, after: $3)) })
    return
      "UPDATE sums SET packed = x'\(bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined())'"
  }

  private static let wide: Int64 = 1 << 61
  /// Moves all episodes into the partial hour of a window, which is read row by row.
  private static let episodes = "UPDATE OR IGNORE episodes SET from_ms = \(day(130).rawValue)"

  /// Sums that so few rows cannot have, and prices above the limit.
  @Test(arguments: [
    (sums((1, 1, wide, wide), (2, 1, wide, wide)), "packed"), (sums((1, 1, 0, 1 << 55 + 1)), "packed"),
    (sums((1, -1, wide, .min), (3, 1, 1 << 52, -wide), (4, -(1 << 44), 1 << 52, 1)), "packed"),
    (sums((1, 0, .min, 1 << 44), (3, -1, 1 << 52, 0), (4, 0, 1 << 52, 1)), "packed"),
    (sums((1, 1, wide, 1), (3, 1, .min, 0), (6, 1, 1 << 62, 1 << 62)), "packed"),
    (sums((2, 1, 0, -(1 << 60)), (3, 1, 1 << 60, 1)), "packed"),
    ("UPDATE spans SET monthly_micros = 1 << 56", "monthly_micros"),
    ("UPDATE OR IGNORE spans SET from_ms = 9223372036854775807", "until_ms"),
    ("UPDATE spans SET until_ms = -1", "until_ms"),
    ("UPDATE lines SET first_paid_ms = -9223372036854775808", "first_paid_ms"),
    ("UPDATE spans SET converted_micros = 1 << 56", "converted_micros"),
    ("\(episodes), micros = 1 << 56", "micros"),
    ("\(episodes), later_class_id = class_id, later_micros = 1 << 61, later_count = 3", "later_micros"),
    ("UPDATE transaction_shapes SET price_micros = 1000000000000001", "price_micros"),
    ("UPDATE catalog SET price_micros = 1000000000000001", "price_micros"),
    ("UPDATE event_rows SET place = 9223372036854775807 - place", "place"),
  ])
  func amountsOutOfRangeAreRefused(_ sql: String, _ column: String) throws {
    let store = try CraftedStore()
    try store.write(sql)
    if column == "packed" {
      let crafted = try ReceiptStore(path: store.path, access: .readOnly)
      #expect(throws: StoreError.self) { try crafted.status(at: day(1), check: true) }
      for panel in [Panel.overview, .movement, .active] {
        #expect(throws: StoreError.self) {
          try crafted.report(Question(panel: panel, at: day(130), environment: .all))
        }
      }
    }
    let said = store.use()
    #expect(
      said.contains { $0.contains("its column \(column) holds a value that subtop never writes") }, "\(said)")
  }

  /// The check must find such values, so that a copy with them is never restored.
  @Test(arguments: [
    "catalog SET price_micros = -1", "signed_terms SET price_micros = 9223372036854775807",
    "transaction_shapes SET price_micros = -5", "rates SET rate_picos = 0",
    "transaction_rows SET purchase_date_ms = -1", "transaction_rows SET original_purchase_date_ms = 5",
    "transaction_shapes SET quantity = -3", "transaction_shapes SET currency = '-1'",
    "spans SET monthly_micros = -1", "spans SET charge_micros = -1, charge_currency = 'EUR'",
    "catalog SET currency = 'usd'", "rates SET base = 'EURO'", "renewal_infos SET auto_renew_status = 7",
    "event_rows SET place = place + (1 << 50)", "sweeps SET latency_p50_ms = -1.5", "catalog SET level = 0",
    "signed_terms SET revocation_percentage = 100001",
  ]) func aValueOutOfRangeIsFoundByTheCheck(_ change: String) throws {
    try finds("contain impossible values", after: "UPDATE \(change)")
  }

  /// A negative value is impossible in every numeric column except those in `free`.
  @Test func everyNumberHasARange() throws {
    let free: Set = [
      "user_number", "rates_fingerprint", "last_status", "status", "clock_ahead_ms", "at", "day",
    ]
    for (place, column) in CraftedStore.columns.enumerated()
    where !free.contains(column.name) && (place % 6 == 0 || getenv("SUBTOP_SOAK_WORLDS") != nil) {
      let isNumber = "typeof(\(column.name)) IN ('integer', 'real')"
      let store = try CraftedStore()
      guard try store.count("\(column.table) WHERE \(isNumber)") > 0 else { continue }
      try store.write("UPDATE OR IGNORE \(column.table) SET \(column.name) = -9 WHERE \(isNumber)")
      let said = try? ReceiptStore(path: store.path, access: .readOnly).status(at: day(1), check: true)
      #expect(said?.integrity?.contains("contain impossible values") ?? true, "\(column)")
    }
  }

  /// Without this check, figures would silently be 0 or another wrong number.
  @Test(arguments: [
    "DELETE FROM sums", "DELETE FROM sums WHERE grain = 4", "DELETE FROM sums WHERE series = 1",
    "UPDATE sums SET packed = x''",
    "UPDATE OR REPLACE sums SET at = at + 1",
    "UPDATE sums SET packed = (SELECT packed FROM sums) WHERE series = 0",
    "DELETE FROM sums WHERE series = 104", "DELETE FROM event_rows", "DELETE FROM episodes",
    "DELETE FROM spans",
    "UPDATE event_rows SET effective_at_ms = effective_at_ms + 86400000",
    "UPDATE spans SET monthly_micros = monthly_micros + 1", "DELETE FROM sums WHERE series >= 1000",
    "UPDATE OR REPLACE sums SET at = at + 1 WHERE series >= 1000",
    "UPDATE ledger_state SET transactions = transactions + 1", "UPDATE ledger_state SET receipts = 0",
    "UPDATE spans SET expires_ms = expires_ms + 1", "UPDATE spans SET access_end_ms = from_ms + 1",
    "UPDATE spans SET user_number = user_number + 1", "UPDATE event_shapes SET type = 'renewal'",
    "UPDATE event_shapes SET flow = NULL",
    "UPDATE event_rows SET shape_id = (SELECT min(shape_id) FROM event_rows)",
    "UPDATE event_rows SET observed_at_ms = 1", "UPDATE lines SET first_paid_ms = first_paid_ms - 1",
    "UPDATE transaction_rows SET refunded_at_ms = purchase_date_ms", "DELETE FROM event_rows WHERE place % 2",
    "UPDATE transaction_rows SET effective_end_ms = NULL", "UPDATE event_rows SET transaction_id = 99999",
    "UPDATE episodes SET next_ms = next_ms + 1", "UPDATE transaction_shapes SET outcome = NULL",
  ]) func figuresThatDoNotAgreeWithRowsAreFound(_ change: String) throws {
    let store = try finds(ReceiptStore.disagreement, after: change)
    try ReceiptStore(path: store.path, access: .existing).rebuild()
    #expect(try ReceiptStore(path: store.path).status(at: day(1), check: true).integrity == "ok")
  }

  @discardableResult
  private func finds(_ fault: String, after change: String) throws -> CraftedStore {
    let store = try CraftedStore()
    let crafted = try ReceiptStore(path: store.path, access: .readOnly)
    #expect(try crafted.status(at: day(1), check: true).integrity == "ok")
    try store.write(change)
    let said = try crafted.status(at: day(1), check: true).integrity ?? ""
    #expect(said.contains(fault), "\(said)")
    #expect(throws: StoreError.self) {
      try crafted.restore(to: store.folder.file("restored.sqlite"), replacing: false)
    }
    return store
  }

  @Test(arguments: [
    ("receipt_contents", "receipt_data"), ("chains", "validations"), ("transaction_shapes", "product_id"),
  ]) func aTextOfManyMegabytesIsFoundTooLong(_ table: String, _ column: String) throws {
    let store = try CraftedStore()
    try store.write(
      """
      UPDATE \(table) SET \(column) = CAST(zeroblob(20000000) AS TEXT) WHERE rowid = (SELECT min(rowid) FROM \(table))
      """
    )
    #expect(store.use().contains { $0.contains("larger than subtop ever writes") })
  }

  @Test func aJournalThatNamesAnotherFileRemovesNothing() throws {
    let (store, other) = (try CraftedStore(), try CraftedStore())
    let victim = store.folder.file("victim")
    try Data("hello".utf8).write(to: URL(filePath: victim))
    let new = store.folder.file("new.sqlite")
    let size = try Data(contentsOf: URL(filePath: store.path)).count
    for path in [store.path, new] {
      try Data(NamingJournal.bytes(naming: victim, size: size)).write(to: URL(filePath: path + "-journal"))
    }
    for use: () throws -> Void in [
      { _ = try ReceiptStore(path: store.path) },
      { _ = try ReceiptStore(path: store.path, access: .existing) },
      { _ = try ReceiptStore(path: store.path, access: .readOnly) },
      { _ = try ReceiptStore(path: other.path, access: .readOnly).restore(to: store.path, replacing: true) },
      { _ = try ReceiptStore(path: other.path, access: .readOnly).restore(to: new, replacing: false) },
      { try ReceiptStore(path: other.path).backUp(to: new, replacing: false) },
      { _ = try ReceiptStore(path: new) },
    ] {
      let error = #expect(throws: StoreError.self) { try use() }
      #expect(error?.kind == .unusable && error?.description.contains("names another file") == true)
      #expect(access(victim, F_OK) == 0 && access(new, F_OK) != 0)
    }
  }
}
