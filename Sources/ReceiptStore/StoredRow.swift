import GRDB
import Subscriptions

/// Visitor that names, reads, binds or hashes the columns of a row, in the order of `StoredRow.map`.
protocol ColumnMapper {
  mutating func map(_ column: String, _ number: inout Int64?)
  mutating func map(_ column: String, _ text: inout String?)
  /// Reports that the last mapped column has a value that this program never writes.
  mutating func reject()
}

/// Type of a table's rows, which lists the columns once, in `map`.
protocol StoredRow: Sendable {
  static var sql: RowSQL { get }
  init()
  mutating func map(_ columns: inout some ColumnMapper)
}

extension StoredRow {
  init(_ row: BoundStatement.Columns, from first: CInt = 0) {
    self.init()
    read(row, from: first)
  }

  mutating func read(_ row: BoundStatement.Columns, from first: CInt = 0) {
    var reader = ColumnReader(row: row, place: first)
    map(&reader)
  }

  func bind(to values: inout some ColumnMapper) {
    var row = self
    row.map(&values)
  }

  func insert(_ db: Database) throws {
    var statement = try BoundStatement(Self.sql.insert, db)
    bind(to: &statement)
    try statement.execute()
  }

  func delete(_ db: Database) throws {
    var binder = KeyBinder(statement: try BoundStatement(Self.sql.delete, db), left: Self.sql.keys)
    bind(to: &binder)
    try binder.statement.execute()
  }

  static func fetch(_ id: Int64, _ db: Database) throws -> Self? {
    try db.rows("\(sql.select) FROM \(sql.table) WHERE id = ?", [id]) { Self($0) }.first
  }

  static func forEach(after id: Int, _ db: Database, _ body: (Int64, Self) throws -> Void) throws {
    let place = CInt(sql.columns.count)
    try db.forEach("\(sql.select), id FROM \(sql.table) WHERE id > ? ORDER BY id", [id]) {
      try body($0[place], Self($0))
    }
  }
}

extension StoredRow where Self: Hashable {
  /// Writes the differences; calls `count` with each deleted row and -1, and with each inserted row and 1.
  static func write(
    _ new: [Self], replacing old: [Self], _ db: Database, count: (Self, Int64) throws -> Void = { _, _ in }
  ) throws {
    guard new != old else { return }
    let (before, after) = (Set(old), Set(new))
    for row in old where !after.contains(row) {
      try count(row, -1)
      try row.delete(db)
    }
    var seen = before
    for row in new where seen.insert(row).inserted {
      try count(row, 1)
      try row.insert(db)
    }
  }
}

/// SQL statements for a table, generated from the columns of its row type.
struct RowSQL: Sendable {
  let table: String
  let columns: [String]
  /// Number of leading columns that identify a row.
  let keys: Int
  let insert: String
  let find: String
  let delete: String
  let select: String

  init(_ row: some StoredRow, _ table: String, keys: Int = .max) {
    var names = ColumnNames()
    row.bind(to: &names)
    let columns = names.columns
    let list = columns.joined(separator: ", ")
    func conditions(_ columns: some Sequence<String>) -> String {
      columns.map { "\($0) IS ?" }.joined(separator: " AND ")
    }
    (self.table, self.columns, self.keys) = (table, columns, keys)
    insert = "INSERT INTO \(table) (\(list)) VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))"
    find = "SELECT id FROM \(table) WHERE \(conditions(columns))"
    delete = "DELETE FROM \(table) WHERE \(conditions(columns.prefix(keys)))"
    select = "SELECT \(list)"
  }
}

private struct ColumnNames: ColumnMapper {
  var columns: [String] = []
  mutating func map(_ column: String, _ number: inout Int64?) { columns.append(column) }
  mutating func map(_ column: String, _ text: inout String?) { columns.append(column) }
}

private struct ColumnReader: ColumnMapper {
  let row: BoundStatement.Columns
  var place: CInt

  mutating func map(_ column: String, _ number: inout Int64?) {
    number = row.number(place)
    place += 1
  }

  mutating func map(_ column: String, _ text: inout String?) {
    text = row.text(place)
    place += 1
  }

  mutating func reject() { row.reject(place - 1) }
}

extension BoundStatement: ColumnMapper {
  mutating func map(_ column: String, _ number: inout Int64?) { bind(number) }
  mutating func map(_ column: String, _ text: inout String?) { bind(text) }
}

/// Binds only the leading columns, which are the key.
private struct KeyBinder: ColumnMapper {
  var statement: BoundStatement
  var left: Int

  mutating func map(_ column: String, _ number: inout Int64?) {
    if left > 0 { statement.bind(number) }
    left -= 1
  }

  mutating func map(_ column: String, _ text: inout String?) {
    if left > 0 { statement.bind(text) }
    left -= 1
  }
}

extension ColumnMapper {
  mutating func reject() {}

  mutating func map(_ column: String, _ number: inout Int64?, in range: ClosedRange<Int64>) {
    map(column, &number)
    guard let known = number, !range.contains(known) else { return }
    number = nil
    reject()
  }

  mutating func map(_ column: String, _ number: inout Int64) {
    var value: Int64? = number
    map(column, &value)
    number = value ?? 0
  }

  mutating func map(_ column: String, _ number: inout Int64, in range: ClosedRange<Int64>) {
    var value: Int64? = number
    map(column, &value, in: range)
    number = value ?? 0
  }

  mutating func map(amount column: String, _ micros: inout Int64?) { map(column, &micros, in: Money.prices) }

  mutating func map(_ column: String, _ flag: inout Bool?) {
    var number: Int64? = flag.map { $0 ? 1 : 0 }
    map(column, &number)
    flag = number.map { $0 != 0 }
  }

  mutating func map(_ column: String, _ flag: inout Bool) {
    var value: Bool? = flag
    map(column, &value)
    flag = value ?? false
  }

  mutating func map(_ column: String, _ instant: inout Instant?) {
    var number = instant?.rawValue
    map(column, &number)
    instant = number.flatMap(StoredNumber.instant)
    if number != nil, instant == nil { reject() }
  }

  mutating func map(_ column: String, _ instant: inout Instant) {
    var value: Instant? = instant
    map(column, &value)
    instant = value ?? .distantPast
  }

  mutating func map(date column: String, _ date: inout Instant?) {
    var number = date?.rawValue
    map(column, &number, in: StoredNumber.instants)
    date = number.map(Instant.init(milliseconds:))
  }

  mutating func map(amount column: String, currency: String, _ money: inout Money?) {
    var (micros, code) = (money?.single, money?.currency)
    map(amount: column, &micros)
    map(currency, &code)
    money = micros.flatMap { micros in code.map { Money(micros: micros, currency: $0) } }
  }

  mutating func map(_ column: String, _ text: inout String) {
    var value: String? = text
    map(column, &value)
    text = value ?? ""
  }

  mutating func map<Value: RawRepresentable<String>>(_ column: String, _ value: inout Value?) {
    var text = value?.rawValue
    map(column, &text)
    value = text.flatMap(Value.init(rawValue:))
  }

  mutating func map<Value: RawRepresentable<String>>(_ column: String, _ value: inout Value) {
    var known: Value? = value
    map(column, &known)
    if let known { value = known } else { reject() }
  }

  mutating func map(_ column: String, _ environment: inout StoreEnvironment) {
    var text = environment.rawValue
    map(column, &text)
    environment = StoreEnvironment(text)
  }

  mutating func map(date column: String, _ date: inout Instant) {
    var value: Instant? = date
    map(date: column, &value)
    date = value ?? .appStoreOpening
  }

  mutating func map(_ column: String, _ micros: inout Int128?, of rows: Int64) {
    var number = micros.map { Int64(clamping: $0) }
    map(column, &number, in: StoredNumber.sums(of: Int(clamping: rows)))
    micros = number.map { Int128($0) }
  }

  /// Maps a sum in the reporting currency; the column `unconverted` counts rows without a rate (NULL for 0).
  mutating func map(_ column: String, _ unconverted: String, _ sum: inout Converted?, of rows: Int64 = 1) {
    var micros = sum?.micros
    var number = sum.flatMap { $0.unconverted == 0 ? nil : $0.unconverted }
    map(column, &micros, of: rows)
    map(unconverted, &number, in: StoredNumber.counts)
    sum = micros.map { Converted(micros: $0, unconverted: number ?? 0) }
  }
}
