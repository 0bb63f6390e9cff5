import Foundation
import GRDB
import ReceiptStore

/// Content of a store, independent of row numbers, order of arrival and the machine's clock.
struct StorePortrait: Equatable {
  private(set) var rows: [String: [String]]

  static let bookkeeping = StoreTables.sweeps.union(["leases"])
  static let derived: Set = ["transactions", "lines", "spans", "events"]

  /// Columns and tables that depend on how many answers omitted old transactions.
  static let partialAnswers: Set = [
    "transaction_sightings", "receipt_contents", "chains.validations", "chains.answered_by",
    "receipts.answer_digest",
  ]

  /// Signatures differ even for equal content.
  static let signatures: Set = ["signed_headers", "signed_rows.header_id", "signed_rows.signature"]

  /// - Parameter start: Milliseconds since 1970; later instants are from the machine's clock.
  init(
    _ path: String, since start: Int64, tables: Set<String>? = nil, leavingOut left: Set<String> = []
  ) throws {
    var configuration = Configuration()
    configuration.readonly = true
    rows = try DatabaseQueue(path: path, configuration: configuration).read { db in
      let painter = Painter(db: db, start: start, left: left)
      let all = try String.fetchAll(
        db,
        sql: """
          SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'
            AND name NOT IN ('transaction_rows', 'event_rows', 'transaction_shapes', 'event_shapes',
              'position_classes', 'change_classes', 'fact_classes', 'cohort_classes')
          UNION ALL VALUES ('transactions'), ('events')
          """)
      var rows: [String: [String]] = [:]
      for table in all where tables?.contains(table) ?? !Self.bookkeeping.union(left).contains(table) {
        rows[table] = try painter.rows(of: table)
      }
      return rows
    }
  }

  func differences(from other: StorePortrait) -> [String] {
    Set(rows.keys).union(other.rows.keys).sorted().flatMap { table in
      let (mine, theirs) = (Set(rows[table] ?? []), Set(other.rows[table] ?? []))
      return mine.subtracting(theirs).sorted().prefix(2).map { "\(table) has \($0.prefix(300))" }
        + theirs.subtracting(mine).sorted().prefix(2).map { "\(table) lacks \($0.prefix(300))" }
    }
  }
}

private final class Painter {
  private let db: Database
  private let start: Int64
  private let left: Set<String>
  private var names: [String: [Int64: String]] = [:]

  init(db: Database, start: Int64, left: Set<String>) {
    (self.db, self.start, self.left) = (db, start, left)
  }

  func rows(of table: String) throws -> [String] {
    let columns = try columns(of: table)
    return try GRDB.Row.fetchAll(db, sql: "SELECT * FROM \(table)").map { try words(of: $0, columns) }
      .sorted()
  }

  /// References without foreign keys, and those of views.
  private static let unchecked = [
    "transactions": ["chain_id": "chains", "line_id": "lines", "duplicate_of": "transaction_rows"],
    "events": ["chain_id": "chains"], "signed_rows": ["transaction_row": "transaction_rows"],
    "lines": ["cohort_class_id": "cohort_classes"],
    "change_classes": ["old_position_id": "position_classes", "new_position_id": "position_classes"],
    "episodes": [
      "class_id": "fact_classes", "later_class_id": "fact_classes", "current_id": "transaction_rows",
    ],
    "spans": [
      "position_id": "position_classes", "change_id": "change_classes", "current_id": "transaction_rows",
      "renewal_info_id": "renewal_infos", "due_class_id": "fact_classes",
    ],
  ]

  private struct Column {
    var name: String
    var refers: String?
  }

  private func columns(of table: String) throws -> [Column] {
    var references: [String: String] = [:]
    for key in try GRDB.Row.fetchAll(db, sql: "PRAGMA foreign_key_list(\(table))") {
      references[key["from"]] = key["table"]
    }
    references.merge(Self.unchecked[table] ?? [:]) { first, _ in first }
    return try db.columns(in: table).map(\.name)
      .filter { $0 != "id" && !left.contains("\(table).\($0)") }
      .map { Column(name: $0, refers: references[$0]) }
  }

  private func words(of row: GRDB.Row, _ columns: [Column]) throws -> String {
    try columns.map { column in
      if column.name == "fingerprint" { return "fingerprint=\(try fingerprint(of: row))" }
      if column.name == "packed" { return "packed=\(try sums(in: row))" }
      return "\(column.name)=" + (try word(row[column.name] as DatabaseValue, refers: column.refers))
    }
    .joined(separator: " ")
  }

  /// Series 0, 100, 200 are changes, those from 1000 on cohorts, and the others facts.
  private func sums(in row: GRDB.Row) throws -> String {
    let series = row["series"] as Int64
    let classes =
      series >= 1000 ? "cohort_classes" : series % 100 == 0 ? "change_classes" : "fact_classes"
    let packed: Data = row["packed"]
    return try packed.withUnsafeBytes { try PackedSums.unpack($0) }.map { kind, sum in
      "(\(try name(of: kind, in: classes)) \(sum.count) \(sum.before) \(sum.after))"
    }.sorted().joined(separator: " ")
  }

  /// Fingerprint of a receipt, or its customer if it was made for signed rows, whose order matters.
  private func fingerprint(of receipt: GRDB.Row) throws -> String {
    let known: String = receipt["fingerprint"]
    guard known.contains(" ") else { return known }
    let customer = try String.fetchOne(
      db, sql: "SELECT customer_id FROM customers WHERE receipt_id = ?",
      arguments: [receipt["id"] as Int64])
    return customer.map { "of customer \($0)" } ?? known
  }

  private func word(_ value: DatabaseValue, refers table: String?) throws -> String {
    guard case .int64(let number) = value.storage else { return value.description }
    if let table { return "(\(try name(of: number, in: table)))" }
    return number >= start ? "since" : String(number)
  }

  private func name(of id: Int64, in table: String) throws -> String {
    if names[table] == nil { names[table] = try self.names(in: table) }
    return names[table]?[id] ?? "nothing"
  }

  /// Names of rows by the first unique index, or by all columns.
  private func names(in table: String) throws -> [Int64: String] {
    let unique = try db.indexes(on: table).first { $0.isUnique && $0.origin != .primaryKeyConstraint }?
      .columns
    let columns = try columns(of: table).filter { unique?.contains($0.name) ?? true }
    var names: [Int64: String] = [:]
    for row in try GRDB.Row.fetchAll(db, sql: "SELECT * FROM \(table)") {
      names[row["id"]] = try words(of: row, columns)
    }
    return names
  }
}
