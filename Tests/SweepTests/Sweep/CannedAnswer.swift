import AppStore
import Subscriptions
import TestSupport

/// Minimal verifyReceipt answers.
enum CannedAnswer {
  static let purchase = Instant(milliseconds: 1_767_225_600_000)

  static func status(_ status: Int) -> CannedReply { .answer(#"{"status":\#(status)}"#) }

  static func valid(
    _ receipt: String, app: String = "com.example.app", environment: String = "Production", renewals: Int = 0,
    latest: String? = nil
  ) -> CannedReply {
    .answer(text(receipt, app: app, environment: environment, renewals: renewals, latest: latest))
  }

  static func text(
    _ receipt: String, app: String = "com.example.app", environment: String = "Production", renewals: Int = 0,
    latest: String? = nil
  ) -> String {
    let rows = (0...renewals).map { row(receipt, $0) }
    return #"""
      {"status":0,"environment":"\#(environment)","receipt":{"bundle_id":"\#(app)","in_app":[]},
      "latest_receipt_info":[\#(rows.joined(separator: ","))],\#(latest.map { #""latest_receipt":"\#($0)","# } ?? "")
      "pending_renewal_info":[\#(renewalInfo(receipt))]}
      """#
  }

  /// Row of a period, counted from 0.
  static func row(_ receipt: String, _ period: Int) -> String {
    let start = purchase + Int64(period) * 30 * Milliseconds.day
    return #"""
      {"quantity":"1","product_id":"monthly","transaction_id":"\#(receipt)\#(period)",
      "original_transaction_id":"\#(receipt)0","web_order_line_item_id":"9\#(receipt)\#(period)",
      "purchase_date_ms":"\#(start.rawValue)","expires_date_ms":"\#((start + 30 * Milliseconds.day).rawValue)",
      "is_trial_period":"false","is_in_intro_offer_period":"false","subscription_group_identifier":"200"}
      """#
  }

  static func renewalInfo(_ receipt: String) -> String {
    #"""
    {"original_transaction_id":"\#(receipt)0","product_id":"monthly","auto_renew_product_id":"monthly",
    "auto_renew_status":"1"}
    """#
  }
}

struct CannedCall: Sendable {
  let path: String
  let receipt: String
  let data: ReceiptData
  let password: String?

  var isSandbox: Bool { path == "/sandbox/verifyReceipt" }

  init(_ request: CannedRequest) throws {
    let body = try VerifyReceiptRequest(decoding: request.body)
    path = request.path
    receipt = CannedReceipt.name(of: body.receiptData)
    data = ReceiptData(trusted: body.receiptData)
    password = body.password
  }
}
