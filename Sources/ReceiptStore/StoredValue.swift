import GRDB
import Subscriptions

/// Error for a stored value that this program never writes; omits the value, which may be a receipt.
struct DamagedValue: Error {
  var column: String
}

enum StoredText {
  /// Maximum length in bytes of all texts except receipts, notification bodies and validation logs.
  ///
  /// Signed rows have up to 64 KiB (`FieldLimits`); other texts are shorter.
  static let longest = 64 << 10
}

enum StoredNumber {
  /// Milliseconds since 1970 for the years 1 to 9999.
  static let instants: ClosedRange<Int64> = -62_135_596_800_000...253_402_300_799_999
  /// Range of counts and similar numbers, so narrow that half a million add up without overflow.
  static let counts: ClosedRange<Int64> = -(1 << 44)...(1 << 44)

  /// Range of a sum of the monthly or converted amounts of `rows` rows, in micros.
  static func sums(of rows: Int) -> ClosedRange<Int64> {
    let largest = Int64(clamping: Int128(rows.magnitude) * Int128(Money.largestAmount))
    return -largest...largest
  }

  /// Returns the stored instant; `nil` if the number is out of range.
  ///
  /// `Int64.min` and `Int64.max` mean `distantPast` and `distantFuture`.
  static func instant(_ number: Int64) -> Instant? {
    instants.contains(number) || number == .min || number == .max ? Instant(milliseconds: number) : nil
  }
}

extension DatabaseValueConvertible {
  /// Returns the value in a query's first row; `nil` if there is no row, or the value is NULL.
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
