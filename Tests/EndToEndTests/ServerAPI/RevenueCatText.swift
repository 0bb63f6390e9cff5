import AppStore
import Subscriptions

/// RevenueCat export of a population: a row per transaction with wrong figures, and rows of other stores.
enum RevenueCatText {
  static let says = [
    "RevenueCat's export", "left out 3 rows of other stores: 1 of Google Play, 1 of Stripe, 1 of promotional",
    "`subtop help revenuecat`",
  ]

  static func of(_ receipts: [Substring]) throws -> (text: String, rows: Int, sandbox: Int) {
    var lines = [
      "rc_original_app_user_id,rc_last_seen_app_user_id_alias,store,is_sandbox,price_in_usd,start_time,"
        + "store_transaction_id,original_store_transaction_id,custom_subscriber_attributes",
      "x,x,play_store,false,1,,GPA.1..0,GPA.1,", "x,x,stripe,false,1,,in_1,sub_1,",
      "x,x,promotional,false,0,,p,p,",
    ]
    let others = lines.count
    var sandbox = 0
    for (customer, receipt) in receipts.enumerated() {
      let json = try JSON(Array(receipt.utf8))
      guard let contents = json["receipt-data"]?.text.flatMap({ ReceiptContents(ReceiptData(trusted: $0)) })
      else { continue }
      let isSandbox = contents.receiptType != "Production"
      for original in contents.originalTransactionIDs.map(\.rawValue).sorted() {
        for transaction in [contents.transactionIDs.map(\.rawValue).max() ?? "", original] {
          lines.append(
            "$RCAnonymousID:\(customer),\"\(json["app_user_id"]?.text ?? "")\",app_store,\(isSandbox),999999,"
              + "1970-01-01 00:00:00,\(transaction),\(original),\"{\"\"note\"\": \"\"a, b\"\"}\"")
          sandbox += isSandbox ? 1 : 0
        }
      }
    }
    return (lines.joined(separator: "\r\n") + "\r\n", lines.count - others, sandbox)
  }
}
