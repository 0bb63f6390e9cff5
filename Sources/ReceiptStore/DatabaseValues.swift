import GRDB
import Subscriptions

// Domain values are stored as their raw values: Apple's text, and milliseconds.
extension Instant: DatabaseValueConvertible {}
extension TransactionID: DatabaseValueConvertible {}
extension OriginalTransactionID: DatabaseValueConvertible {}
extension WebOrderLineItemID: DatabaseValueConvertible {}
extension ProductID: DatabaseValueConvertible {}
extension SubscriptionGroupID: DatabaseValueConvertible {}
extension AppUserID: DatabaseValueConvertible {}
extension BundleID: DatabaseValueConvertible {}
extension CurrencyCode: DatabaseValueConvertible {}
extension ReceiptID: DatabaseValueConvertible {}
extension PeriodKind: DatabaseValueConvertible {}
extension PeriodOutcome: DatabaseValueConvertible {}
extension ChangeDirection: DatabaseValueConvertible {}
extension LineState: DatabaseValueConvertible {}

extension UInt128 {
  /// 32 hexadecimal digits for a TEXT column.
  var hexadecimal: String {
    let digits = String(self, radix: 16)
    return String(repeating: "0", count: 32 - digits.count) + digits
  }
}

/// A row of a result; the domain has rows of its own.
typealias FetchedRow = GRDB.Row
