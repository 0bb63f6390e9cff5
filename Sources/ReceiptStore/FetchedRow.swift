import GRDB
import Subscriptions

/// Row of a query result, so named because `Row` is a domain type.
///
/// A store file may come from an attacker, so reading a column throws `DamagedValue` if its value is one that
/// this program never writes. GRDB's own subscripts would end the process and print the row.
struct FetchedRow {
  private let row: GRDB.Row

  private init(_ row: GRDB.Row) { self.row = row }

  static func fetchAll(
    _ db: Database, _ sql: String, _ arguments: StatementArguments = []
  ) throws -> [FetchedRow] {
    try GRDB.Row.fetchAll(db.cachedStatement(sql: sql), arguments: arguments).map(FetchedRow.init)
  }

  static func fetchOne(
    _ db: Database, _ sql: String, _ arguments: StatementArguments = []
  ) throws -> FetchedRow? {
    try GRDB.Row.fetchOne(db.cachedStatement(sql: sql), arguments: arguments).map(FetchedRow.init)
  }

  static func fetchOne(_ statement: Statement, arguments: StatementArguments) throws -> FetchedRow? {
    try GRDB.Row.fetchOne(statement, arguments: arguments).map(FetchedRow.init)
  }

  subscript<Value: DatabaseValueConvertible>(place: Int) -> Value {
    get throws {
      let stored: DatabaseValue = row[place]
      if case .string(let text) = stored.storage, text.utf8.count > StoredText.longest { throw damage(place) }
      guard let value = Value.fromDatabaseValue(stored) else { throw damage(place) }
      return value
    }
  }

  func longText(_ place: Int) throws -> String? {
    guard let text = String?.fromDatabaseValue(row[place]) else { throw damage(place) }
    return text
  }

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

  func amount(_ place: Int, in range: ClosedRange<Int64> = Money.prices) throws -> Int64? {
    guard let number = try self[place] as Int64? else { return nil }
    guard range.contains(number) else { throw damage(place) }
    return number
  }

  func money(micros: Int, currency: Int) throws -> Money? {
    guard let amount = try amount(micros), let code = try self[currency] as CurrencyCode? else { return nil }
    return Money(micros: amount, currency: code)
  }

  /// Start of a day (UTC), stored as the number of days since 1970.
  func day(_ place: Int) throws -> Instant {
    let (start, isTooLarge) = try (self[place] as Int64).multipliedReportingOverflow(by: Milliseconds.day)
    guard !isTooLarge, let day = StoredNumber.instant(start) else { throw damage(place) }
    return day
  }

  private func damage(_ place: Int) -> DamagedValue {
    DamagedValue(column: row.columnNames.dropFirst(place).first ?? "")
  }
}

/// Stored value that this program never writes; only its column is reported, because it may be a receipt.
struct DamagedValue: Error {
  var column: String
}

enum StoredText {
  /// Maximum length in bytes of texts other than receipts, notification bodies and validation logs; signed
  /// data is the longest (`FieldLimits`).
  static let longest = 64 << 10
}

enum StoredNumber {
  /// Milliseconds since 1970 for the years 1 to 9999.
  static let instants: ClosedRange<Int64> = -62_135_596_800_000...253_402_300_799_999
  /// Range of counts and small numbers; half a million of them can be added without overflow.
  static let counts: ClosedRange<Int64> = -(1 << 44)...(1 << 44)

  /// Range of a sum of the monthly or converted amounts of `rows` rows, in micros.
  static func sums(of rows: Int) -> ClosedRange<Int64> {
    let largest = Int64(clamping: Int128(rows.magnitude) * Int128(Money.largestAmount))
    return -largest...largest
  }

  /// Returns the instant of a number in `instants`, or of `distantPast` or `distantFuture`; otherwise `nil`.
  static func instant(_ number: Int64) -> Instant? {
    instants.contains(number) || number == .min || number == .max ? Instant(milliseconds: number) : nil
  }
}

extension DatabaseValueConvertible {
  static func first(_ db: Database, _ sql: String, _ arguments: StatementArguments = []) throws -> Self? {
    try fetchOne(db.cachedStatement(sql: sql), arguments: arguments)
  }

  static func all(_ db: Database, _ sql: String, _ arguments: StatementArguments = []) throws -> [Self] {
    try fetchAll(db.cachedStatement(sql: sql), arguments: arguments)
  }
}

// Domain values are stored as their raw values: Apple's text, or milliseconds.
extension Instant: DatabaseValueConvertible {
  public static func fromDatabaseValue(_ value: DatabaseValue) -> Instant? {
    Int64.fromDatabaseValue(value).flatMap(StoredNumber.instant)
  }
}
extension TransactionID: DatabaseValueConvertible {}
extension OriginalTransactionID: DatabaseValueConvertible {}
extension WebOrderLineItemID: DatabaseValueConvertible {}
extension ProductID: DatabaseValueConvertible {}
extension SubscriptionGroupID: DatabaseValueConvertible {}
extension AppUserID: DatabaseValueConvertible {}
extension BundleID: DatabaseValueConvertible {}
extension CurrencyCode: DatabaseValueConvertible {}
extension StorefrontCode: DatabaseValueConvertible {}
extension CustomerID: DatabaseValueConvertible {}
extension ReceiptID: DatabaseValueConvertible {}
extension PeriodKind: DatabaseValueConvertible {}
extension PeriodOutcome: DatabaseValueConvertible {}
extension ChangeDirection: DatabaseValueConvertible {}
extension Arrival: DatabaseValueConvertible {}
extension NotificationType: DatabaseValueConvertible {}
extension LineState: DatabaseValueConvertible {}
