import AppStore
import Subscriptions
import Testing

/// The exports that a population's owner would have had from a product that kept its subscriptions: a row for each transaction,
/// with figures of the product's own that are wrong, and rows of other stores among them.
struct HostedExportText: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let header: String
  /// - Parameters: the product's customer, the app's user, transaction, original transaction, whether it is the sandbox's.
  let row: @Sendable (Int, String, String, String, Bool) -> String
  /// Rows that are left out, and what the summary says of them.
  let others: [String]
  let says: [String]

  static let all = [revenueCat, adapty, qonversion]

  private static let revenueCat = HostedExportText(
    testDescription: "RevenueCat",
    header: "rc_original_app_user_id,rc_last_seen_app_user_id_alias,store,is_sandbox,price_in_usd,start_time,"
      + "store_transaction_id,original_store_transaction_id,custom_subscriber_attributes",
    row: { customer, user, transaction, original, isSandbox in
      "$RCAnonymousID:\(customer),\"\(user)\",app_store,\(isSandbox),999999,1970-01-01 00:00:00,\(transaction),\(original),"
        + #""{""note"": ""a, b""}""#
    },
    others: [
      "x,x,play_store,false,1,,GPA.1..0,GPA.1,", "x,x,stripe,false,1,,in_1,sub_1,",
      "x,x,promotional,false,0,,p,p,",
    ],
    says: [
      "RevenueCat's export",
      "left out 3 rows of other stores: 1 of Google Play, 1 of Stripe, 1 of promotional",
      "`subtop help revenuecat`",
    ])

  private static let adapty = HostedExportText(
    testDescription: "Adapty",
    header: "profile_id,event_type,event_datetime,transaction_id,original_transaction_id,environment,"
      + "revenue_usd,customer_user_id,store,attributes",
    row: { customer, user, transaction, original, isSandbox in
      "profile-\(customer),subscription_renewed,1970-01-01T00:00:00Z,\(transaction),\(original),"
        + "\(isSandbox ? "Sandbox" : "Production"),999999,\(user),app_store,"
    },
    others: [
      "p,subscription_started,,GPA.1,GPA.1,Production,1,x,play_store,",
      "p,access_level_updated,,,,Production,,x,app_store,",
    ],
    says: [
      "Adapty's export", "left out 1 row of other stores: 1 of Google Play",
      "left out 1 event without a transaction", "`subtop help adapty`",
    ])

  private static let qonversion = HostedExportText(
    testDescription: "Qonversion",
    header: "event_name,user_id,custom_user_id,identity_id,time,price.value_usd,transaction.transaction_id,"
      + "transaction.original_transaction_id,environment,platform",
    row: { customer, user, transaction, original, isSandbox in
      "subscription_renewed,q-\(customer),,\(user),0,999999,\(transaction),\(original),\(isSandbox ? "sandbox" : "production"),iOS"
    },
    others: ["subscription_started,q,,x,0,1,GPA.1,GPA.1,production,Android"],
    says: [
      "Qonversion's export", "left out 1 row of other stores: 1 of Google Play", "`subtop help qonversion`",
    ])

  /// - Parameter receipts: JSON Lines of those who have an id that Apple can be asked by.
  func text(of receipts: [Substring]) throws -> (text: String, rows: Int, sandbox: Int) {
    var lines = [header] + others
    var (rows, sandbox) = (0, 0)
    for (customer, receipt) in receipts.enumerated() {
      let json = try JSON(Array(receipt.utf8))
      guard let contents = json["receipt-data"]?.text.flatMap({ ReceiptContents(ReceiptData(trusted: $0)) })
      else { continue }
      let isSandbox = contents.receiptType != "Production"
      for original in contents.originalTransactionIDs.sorted(by: { $0.rawValue < $1.rawValue }) {
        // As a renewal's row and the first one's.
        for transaction in [contents.transactionIDs.map(\.rawValue).max() ?? "", original.rawValue] {
          lines.append(
            row(
              customer, json["app_user_id"]?.text ?? "", transaction, original.rawValue, isSandbox))
          (rows, sandbox) = (rows + 1, sandbox + (isSandbox ? 1 : 0))
        }
      }
    }
    return (lines.joined(separator: "\r\n") + "\r\n", rows, sandbox)
  }
}
