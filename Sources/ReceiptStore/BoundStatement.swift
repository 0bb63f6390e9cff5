import GRDB
import GRDBSQLite
import Subscriptions

/// Cached statement whose arguments are bound one at a time, without boxing.
///
/// `StatementArguments` boxes every value, and GRDB finds a cached statement by its full SQL text. Together,
/// these two steps took a third of the time of an import.
struct BoundStatement {
  private let statement: Statement
  private var place: CInt = 0
  private var failure = SQLITE_OK

  init(_ sql: String, _ db: Database, _ arguments: StatementArguments = []) throws {
    statement = try db.cachedStatement(sql: sql)
    // Disable GRDB's check for missing arguments, because `bind` passes them to SQLite directly.
    statement.setUncheckedArguments(arguments)
  }

  mutating func bind(_ number: Int64?) { bind(number) { sqlite3_bind_int64($0, $1, $2) } }

  mutating func bind(_ text: String?) {
    // The destructor -1 is SQLITE_TRANSIENT: SQLite copies the text.
    bind(text) { sqlite3_bind_text($0, $1, $2, -1, unsafeBitCast(-1, to: sqlite3_destructor_type.self)) }
  }

  private mutating func bind<Value>(_ value: Value?, _ bind: (OpaquePointer, CInt, Value) -> CInt) {
    place += 1
    let pointer = statement.sqliteStatement
    let code = value.map { bind(pointer, place, $0) } ?? sqlite3_bind_null(pointer, place)
    if failure == SQLITE_OK { failure = code }
  }

  /// Runs the statement; every argument must be bound again before the next run.
  mutating func execute() throws {
    guard failure == SQLITE_OK else {
      throw DatabaseError(resultCode: ResultCode(rawValue: failure), sql: statement.sql)
    }
    try statement.execute()
    sqlite3_reset(statement.sqliteStatement)
    place = 0
  }

  mutating func forEach(_ body: (Columns) throws -> Void) throws {
    let pointer = statement.sqliteStatement
    defer {
      sqlite3_reset(pointer)
      place = 0
    }
    var code = failure
    var damaged: CInt?
    try withUnsafeMutablePointer(to: &damaged) { damaged in
      while code == SQLITE_OK || code == SQLITE_ROW {
        code = sqlite3_step(pointer)
        guard code == SQLITE_ROW else { continue }
        let row = Columns(pointer: pointer, damaged: damaged)
        try body(row)
        if let place = damaged.pointee { throw row.damage(place) }
      }
    }
    guard code == SQLITE_DONE else {
      throw DatabaseError(resultCode: ResultCode(rawValue: code), sql: statement.sql)
    }
  }

  /// Columns of the current row, by index from 0.
  ///
  /// A store file may come from an attacker, so unexpected values are errors. An out-of-range value is read
  /// as 0, `nil` or an empty text, and `forEach` throws a `DamagedValue` after the row.
  struct Columns {
    fileprivate let pointer: OpaquePointer
    /// Index of the last column read with an out-of-range value; `nil` if there is none.
    fileprivate let damaged: UnsafeMutablePointer<CInt?>

    func reject(_ place: CInt) { damaged.pointee = place }

    fileprivate func damage(_ place: CInt) -> DamagedValue {
      DamagedValue(column: sqlite3_column_name(pointer, place).map { String(cString: $0) } ?? "")
    }

    /// Integer value; 0 if the column is NULL.
    subscript(place: CInt) -> Int64 { sqlite3_column_int64(pointer, place) }

    /// Returns a value of any type; throws if it is out of range, of another type or, unless optional, NULL.
    func read<Value: DatabaseValueConvertible>(_ place: CInt) throws -> Value {
      let stored = DatabaseValue(sqliteStatement: pointer, index: place)
      let text = stored.storage.value as? String
      guard let value = Value.fromDatabaseValue(stored), text?.utf8.count ?? 0 <= StoredText.longest,
        (value as? Int).map({ StoredNumber.counts.contains(Int64($0)) }) ?? true
      else { throw damage(place) }
      return value
    }

    /// Count or small number; 0 if the column is NULL.
    func count(_ place: CInt) -> Int {
      let number = self[place]
      guard StoredNumber.counts.contains(number) else {
        damaged.pointee = place
        return 0
      }
      return Int(number)
    }

    func number(_ place: CInt) -> Int64? { isNull(place) ? nil : self[place] }

    /// Text of a column, or the decimal digits of a number.
    func text(_ place: CInt) -> String? {
      guard let text = sqlite3_column_text(pointer, place) else { return nil }
      guard sqlite3_column_bytes(pointer, place) <= StoredText.longest else {
        damaged.pointee = place
        return ""
      }
      return String(cString: text)
    }

    /// Text of any length, such as a validation log, a receipt or a notification body.
    func longText(_ place: CInt) -> String? { sqlite3_column_text(pointer, place).map(String.init(cString:)) }

    func amount(_ place: CInt, in range: ClosedRange<Int64> = Money.prices) -> Int64? {
      guard let number = number(place) else { return nil }
      guard range.contains(number) else {
        damaged.pointee = place
        return nil
      }
      return number
    }

    /// Price from this column and currency from the next one; `nil` if either is NULL.
    func money(_ place: CInt) -> Money? {
      guard let micros = amount(place), let currency: CurrencyCode = text(place + 1) else { return nil }
      return Money(micros: micros, currency: currency)
    }

    /// Sum of the monthly or converted amounts of `count` rows, in micros; 0 if the column is NULL.
    func sum(_ place: CInt, of count: Int = 1) -> Int128 {
      Int128(amount(place, in: StoredNumber.sums(of: count)) ?? 0)
    }

    /// Sum in the reporting currency; the next column has the number of rows without an exchange rate.
    func converted(_ place: CInt, of count: Int = 1) -> Converted {
      Converted(micros: sum(place, of: count), unconverted: Int64(self.count(place + 1)))
    }

    func instant(_ place: CInt) -> Instant? { isNull(place) ? nil : date(place) }

    /// Date from Apple, or `nil` for NULL; the values of `distantPast` and `distantFuture` are out of range.
    func appleDate(_ place: CInt) -> Instant? {
      guard let number = number(place) else { return nil }
      guard StoredNumber.instants.contains(number) else {
        damaged.pointee = place
        return nil
      }
      return Instant(milliseconds: number)
    }

    /// Instant of a column that is never NULL.
    func date(_ place: CInt) -> Instant {
      if let instant = StoredNumber.instant(self[place]) { return instant }
      damaged.pointee = place
      return Instant(milliseconds: 0)
    }

    /// Bytes of a blob, valid until the next row.
    func bytes(_ place: CInt) -> UnsafeRawBufferPointer {
      UnsafeRawBufferPointer(
        start: sqlite3_column_blob(pointer, place), count: Int(sqlite3_column_bytes(pointer, place)))
    }

    func flag(_ place: CInt) -> Bool? { number(place).map { $0 != 0 } }

    func isTrue(_ place: CInt) -> Bool { self[place] != 0 }

    /// Value stored as its raw value; `nil` if the column is NULL or the raw value is unknown.
    func text<Value: RawRepresentable<String>>(_ place: CInt) -> Value? {
      text(place).flatMap(Value.init(rawValue:))
    }

    func isNull(_ place: CInt) -> Bool { sqlite3_column_type(pointer, place) == SQLITE_NULL }
  }

  mutating func bind<Value: RawRepresentable<Int64>>(_ value: Value?) { bind(value?.rawValue) }

  mutating func bind<Value: RawRepresentable<String>>(_ value: Value?) { bind(value?.rawValue) }
}

extension Database {
  /// Calls `body` with each row of a query; for many short rows, this is much faster than GRDB's rows.
  func forEach(
    _ sql: String, _ arguments: StatementArguments = [], _ body: (BoundStatement.Columns) throws -> Void
  ) throws {
    var statement = try BoundStatement(sql, self, arguments)
    try statement.forEach(body)
  }

  func rows<Value>(
    _ sql: String, _ arguments: StatementArguments = [], _ value: (BoundStatement.Columns) throws -> Value?
  ) throws -> [Value] {
    var values: [Value] = []
    try forEach(sql, arguments) { row in
      if let value = try value(row) { values.append(value) }
    }
    return values
  }
}
