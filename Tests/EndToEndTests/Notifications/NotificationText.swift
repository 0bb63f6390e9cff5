struct NotificationText {
  var type = "DID_RENEW"
  /// JSON of the member; `nil` to omit it.
  var password: String? = "\"TOPSECRET\""
  var original = "1000"
  var transaction: String?
  var bundle = "com.example.lumen"
  var purchased = 1_748_000_000_000
  var expires = 1_750_592_000_000

  private var filling: String { String(repeating: "A", count: (4 - original.count % 4) % 4) }

  var text: String {
    """
    {"notification_type":"\(type)",\(password.map { "\"password\":\($0)," } ?? "")"environment":"PROD",\
    "bid":"\(bundle)","bvrs":"7","original_transaction_id":\(original),"auto_renew_status":"true",\
    "auto_renew_product_id":"monthly","unified_receipt":{"status":0,"environment":"Production",\
    "latest_receipt":"MIIB\(filling)\(original)","latest_receipt_info":[{"quantity":"1","product_id":"monthly",\
    "transaction_id":"\(transaction ?? original)","original_transaction_id":"\(original)",\
    "purchase_date_ms":"\(purchased)","expires_date_ms":"\(expires)","is_trial_period":"false"}],\
    "pending_renewal_info":[{"original_transaction_id":"\(original)","product_id":"monthly",\
    "auto_renew_product_id":"monthly","auto_renew_status":"1"}]}}
    """
  }
}
