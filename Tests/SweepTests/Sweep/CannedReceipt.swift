import AppStore
import FoundationEssentials
import Subscriptions

/// Minimal receipts in iOS 6 style, with the first transaction of the `CannedAnswer` of the same name.
enum CannedReceipt {
  static func data(
    _ name: String, app: String? = nil, transaction: Int = 0, signature: String = "AAAA"
  ) -> ReceiptData {
    let bundle = app.map { "bid = \"\($0)\"; " } ?? ""
    let purchase = "{ \(bundle)transaction-id = \(name)\(transaction); original-transaction-id = \(name)0; }"
    return encoded("{ signature = \"\(signature)\"; purchase-info = \"\(encoded(purchase).base64)\"; }")
  }

  static func empty(app: String) -> ReceiptData {
    encoded("{ purchase-info = \"\(encoded("{ bid = \"\(app)\"; }").base64)\"; }")
  }

  /// Name of a receipt, or its text if it is unreadable.
  static func name(of receipt: String) -> String {
    let original = ReceiptContents(ReceiptData(trusted: receipt))?.originalTransactionIDs.first
    return original.map { String($0.rawValue.dropLast()) } ?? receipt
  }

  private static func encoded(_ text: String) -> ReceiptData {
    ReceiptData(trusted: Data(text.utf8).base64EncodedString())
  }
}
