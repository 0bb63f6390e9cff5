import GRDB
import GRDBSQLite
import Subscriptions

/// A statement that gets its arguments one after the other, each as what it is, and is run again and again.
///
/// `StatementArguments` boxes every value, and a statement is looked up by its whole text: both together were a third of what
/// an import of answers took.
struct BoundStatement: ColumnValues {
  private let statement: Statement
  private var place: CInt = 0
  private var failure = SQLITE_OK

  init(_ sql: String, _ db: Database) throws {
    statement = try db.cachedStatement(sql: sql)
    // From here on it believes its arguments to be bound.
    statement.setUncheckedArguments(StatementArguments())
  }

  /// Binds the next argument.
  mutating func bind(_ number: Int64?) {
    bind(number) { sqlite3_bind_int64($0, $1, $2) }
  }

  mutating func bind(_ text: String?) {
    // SQLite keeps a copy.
    bind(text) { sqlite3_bind_text($0, $1, $2, -1, unsafeBitCast(-1, to: sqlite3_destructor_type.self)) }
  }

  mutating func bind(_ bytes: [UInt8]) {
    // SQLite keeps a copy.
    bind(bytes) {
      sqlite3_bind_blob($0, $1, $2, CInt($2.count), unsafeBitCast(-1, to: sqlite3_destructor_type.self))
    }
  }

  private mutating func bind<Value>(_ value: Value?, _ bind: (OpaquePointer, CInt, Value) -> CInt) {
    place += 1
    let pointer = statement.sqliteStatement
    let code = value.map { bind(pointer, place, $0) } ?? sqlite3_bind_null(pointer, place)
    if failure == SQLITE_OK { failure = code }
  }

  /// Every argument is to be bound again for the next time. One that failed is not to be used again.
  mutating func execute() throws {
    guard failure == SQLITE_OK else {
      throw DatabaseError(resultCode: ResultCode(rawValue: failure), sql: statement.sql)
    }
    try statement.execute()
    sqlite3_reset(statement.sqliteStatement)
    place = 0
  }

  /// Reads what is selected, row by row. As `FetchedRow`s, many short ones cost several times as much.
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
        try body(Columns(pointer: pointer, damaged: damaged))
        if let place = damaged.pointee {
          throw DamagedValue(column: sqlite3_column_name(pointer, place).map { String(cString: $0) } ?? "")
        }
      }
    }
    guard code == SQLITE_DONE else {
      throw DatabaseError(resultCode: ResultCode(rawValue: code), sql: statement.sql)
    }
  }

  /// What a row holds, by place from 0 on. A number that is out of its range is read as another one, and `forEach` throws
  /// after the row.
  struct Columns {
    fileprivate let pointer: OpaquePointer
    /// A place that holds what this program never writes.
    fileprivate let damaged: UnsafeMutablePointer<CInt?>

    /// 0 where there is no number.
    subscript(place: CInt) -> Int64 { sqlite3_column_int64(pointer, place) }

    /// A count or a small number; 0 if there is none.
    func count(_ place: CInt) -> Int {
      let number = self[place]
      guard StoredNumber.counts.contains(number) else {
        damaged.pointee = place
        return 0
      }
      return Int(number)
    }

    func number(_ place: CInt) -> Int64? { isNull(place) ? nil : self[place] }

    /// A number too, in its digits.
    func text(_ place: CInt) -> String? {
      guard let text = sqlite3_column_text(pointer, place) else { return nil }
      guard sqlite3_column_bytes(pointer, place) <= StoredText.longest else {
        damaged.pointee = place
        return ""
      }
      return String(cString: text)
    }

    /// A log, which may be long.
    func longText(_ place: CInt) -> String? {
      sqlite3_column_text(pointer, place).map(String.init(cString:))
    }

    /// A price or a part of one.
    func amount(_ place: CInt, in range: ClosedRange<Int64> = Money.prices) -> Int64? {
      guard let number = number(place) else { return nil }
      guard range.contains(number) else {
        damaged.pointee = place
        return nil
      }
      return number
    }

    /// A sum of monthly or converted amounts of so many rows; 0 if there is none.
    func sum(_ place: CInt, of count: Int = 1) -> Int128 {
      Int128(amount(place, in: StoredNumber.sums(of: count)) ?? 0)
    }

    /// A sum in the reporting currency, with the count of rows without a rate in the next column.
    func converted(_ place: CInt, of count: Int = 1) -> Converted {
      Converted(micros: sum(place, of: count), unconverted: Int64(self.count(place + 1)))
    }

    func instant(_ place: CInt) -> Instant? { isNull(place) ? nil : date(place) }

    /// A date of Apple's, which is never an end of time.
    func appleDate(_ place: CInt) -> Instant? {
      guard let number = number(place) else { return nil }
      guard StoredNumber.instants.contains(number) else {
        damaged.pointee = place
        return nil
      }
      return Instant(milliseconds: number)
    }

    /// An instant that is always there.
    func date(_ place: CInt) -> Instant {
      if let instant = StoredNumber.instant(self[place]) { return instant }
      damaged.pointee = place
      return Instant(milliseconds: 0)
    }

    /// Of a blob; they are gone with the row.
    func bytes(_ place: CInt) -> UnsafeRawBufferPointer {
      UnsafeRawBufferPointer(
        start: sqlite3_column_blob(pointer, place), count: Int(sqlite3_column_bytes(pointer, place)))
    }

    func flag(_ place: CInt) -> Bool? { number(place).map { $0 != 0 } }

    func isTrue(_ place: CInt) -> Bool { self[place] != 0 }

    /// What is stored as its raw value.
    func text<Value: TextIdentifier>(_ place: CInt) -> Value? { text(place).map(Value.init(rawValue:)) }

    /// What is stored as its raw value; nil where that is none of them.
    func value<Value: RawRepresentable<String>>(_ place: CInt) -> Value? {
      text(place).flatMap(Value.init(rawValue:))
    }

    func isNull(_ place: CInt) -> Bool { sqlite3_column_type(pointer, place) == SQLITE_NULL }

    func isNumber(_ place: CInt) -> Bool { sqlite3_column_type(pointer, place) == SQLITE_INTEGER }
  }
}
