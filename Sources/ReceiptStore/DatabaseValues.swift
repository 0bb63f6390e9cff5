import GRDB
import Subscriptions

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
