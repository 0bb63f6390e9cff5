import GRDB
import Subscriptions

/// A row of a result; the domain has rows of its own.
///
/// The file may be crafted, so reading a value throws if its column holds what this program never writes. GRDB's own subscripts end
/// the process then, and print the row.
struct FetchedRow {
  private let row: GRDB.Row

  private init(_ row: GRDB.Row) { self.row = row }

  static func fetchAll(
    _ db: Database, sql: String, arguments: StatementArguments = StatementArguments()
  ) throws -> [FetchedRow] {
    try GRDB.Row.fetchAll(db, sql: sql, arguments: arguments).map(FetchedRow.init)
  }

  static func fetchAll(
    _ statement: Statement, arguments: StatementArguments? = nil
  ) throws -> [FetchedRow] {
    try GRDB.Row.fetchAll(statement, arguments: arguments).map(FetchedRow.init)
  }

  static func fetchOne(
    _ db: Database, sql: String, arguments: StatementArguments = StatementArguments()
  ) throws
    -> FetchedRow?
  {
    try GRDB.Row.fetchOne(db, sql: sql, arguments: arguments).map(FetchedRow.init)
  }

  static func fetchOne(
    _ statement: Statement, arguments: StatementArguments? = nil
  ) throws -> FetchedRow? {
    try GRDB.Row.fetchOne(statement, arguments: arguments).map(FetchedRow.init)
  }

  /// Rows that are read one after the other. Each is gone with the next.
  typealias Rows = MapCursor<RowCursor, FetchedRow>

  static func fetchCursor(
    _ db: Database, sql: String, arguments: StatementArguments = StatementArguments()
  ) throws -> Rows {
    try GRDB.Row.fetchCursor(db, sql: sql, arguments: arguments).map(FetchedRow.init)
  }

  subscript<Value: DatabaseValueConvertible>(place: Int) -> Value {
    get throws {
      let stored: DatabaseValue = row[place]
      if case .string(let text) = stored.storage, text.utf8.count > StoredText.longest { throw damage(place) }
      guard let value = Value.fromDatabaseValue(stored) else { throw damage(place) }
      return value
    }
  }

  /// A receipt, or what else may be long.
  func longText(_ place: Int) throws -> String? {
    guard let text = String?.fromDatabaseValue(row[place]) else { throw damage(place) }
    return text
  }

  /// A count or a small number.
  subscript(place: Int) -> Int {
    get throws {
      guard let count = try self[place] as Int? else { throw damage(place) }
      return count
    }
  }

  subscript(place: Int) -> Int? {
    get throws {
      guard let number = try self[place] as Int64? else { return nil }
      guard StoredNumber.counts.contains(number) else { throw damage(place) }
      return Int(number)
    }
  }

  /// A price or a part of one.
  func amount(_ place: Int, in range: ClosedRange<Int64> = Money.prices) throws -> Int64? {
    guard let number = try self[place] as Int64? else { return nil }
    guard range.contains(number) else { throw damage(place) }
    return number
  }

  /// A sum in the reporting currency, with the count of rows without a rate in the next column; 0 if both are null.
  func converted(_ place: Int, of count: Int = 1) throws -> Converted {
    try Converted(
      micros: Int128(amount(place, in: StoredNumber.sums(of: count)) ?? 0),
      unconverted: Int64(self[place + 1] as Int? ?? 0))
  }

  /// An amount, if both its columns have a value.
  func money(micros: Int, currency: Int) throws -> Money? {
    guard let amount = try amount(micros), let code = try self[currency] as CurrencyCode? else {
      return nil
    }
    return Money(micros: amount, currency: code)
  }

  /// A date of Apple's, which is never an end of time.
  func appleDate(_ place: Int) throws -> Instant? {
    guard let date = try self[place] as Instant? else { return nil }
    guard StoredNumber.instants.contains(date.rawValue) else { throw damage(place) }
    return date
  }

  /// The start of a day, which is stored as its number since 1970.
  func day(_ place: Int) throws -> Instant {
    let (start, isTooLarge) = try (self[place] as Int64).multipliedReportingOverflow(by: Milliseconds.day)
    guard !isTooLarge, let day = StoredNumber.instant(start) else { throw damage(place) }
    return day
  }

  private func damage(_ place: Int) -> DamagedValue {
    DamagedValue(column: row.columnNames.dropFirst(place).first ?? "")
  }
}

/// A value that this program never writes, by its column in the statement. The value itself is not kept: it may be a receipt.
struct DamagedValue: Error {
  var column: String
}

enum StoredText {
  /// Bytes of a text in the file that is no receipt, body or log: signed rows have up to 64 KiB (`FieldLimits`), all others less.
  static let longest = 64 << 10
}

/// What numbers in the file may be.
enum StoredNumber {
  /// The years 1 to 9999, with room at the ends.
  static let instants: ClosedRange<Int64> = -62_135_596_800_000...253_402_300_799_999
  /// Counts and small numbers: sums of half a million of them fit.
  static let counts: ClosedRange<Int64> = -(1 << 44)...(1 << 44)

  /// Sums of monthly and converted amounts of so many rows, in micros.
  static func sums(of rows: Int) -> ClosedRange<Int64> {
    let largest = Int64(clamping: Int128(rows.magnitude) * Int128(Money.largestAmount))
    return -largest...largest
  }

  /// `nil` if no instant is stored so. The ends of time are.
  static func instant(_ number: Int64) -> Instant? {
    instants.contains(number) || number == .min || number == .max ? Instant(milliseconds: number) : nil
  }
}
