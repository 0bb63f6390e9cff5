import AppStore
import FoundationEssentials
import Subscriptions

/// Receipts in the style of iOS 6, as small as they can be. One by the name of A holds the first transaction of what
/// `CannedAnswer.valid("A")` tells of.
enum CannedReceipt {
  static func data(
    _ name: String, app: String? = nil, transaction: Int = 0, signature: String = "AAAA"
  ) -> ReceiptData {
    let bundle = app.map { "bid = \"\($0)\"; " } ?? ""
    let purchase = "{ \(bundle)transaction-id = \(name)\(transaction); original-transaction-id = \(name)0; }"
    return encoded("{ signature = \"\(signature)\"; purchase-info = \"\(encoded(purchase).base64)\"; }")
  }

  /// One that holds no purchase.
  static func empty(app: String) -> ReceiptData {
    encoded("{ purchase-info = \"\(encoded("{ bid = \"\(app)\"; }").base64)\"; }")
  }

  /// What it is called; what cannot be read is its own name.
  static func name(of receipt: String) -> String {
    let original = ReceiptContents(ReceiptData(trusted: receipt))?.originalTransactionIDs.first
    return original.map { String($0.rawValue.dropLast()) } ?? receipt
  }

  private static func encoded(_ text: String) -> ReceiptData {
    ReceiptData(trusted: Data(text.utf8).base64EncodedString())
  }
}
