struct AnswerText {
  var original = "1000"
  var bundle = "com.example.lumen"
  var product = "com.example.lumen.pro.monthly"
  var status = 0
  var purchased = 1_748_000_000_000
  var expires = 1_750_592_000_000
  var requested = 1_748_779_200_000

  var text: String {
    """
    {"status":\(status),"environment":"Production","receipt":{"receipt_type":"Production",\
    "bundle_id":"\(bundle)","request_date_ms":"\(requested)","in_app":[]},"latest_receipt_info":[\
    {"quantity":"1","product_id":"\(product)","transaction_id":"\(original)",\
    "original_transaction_id":"\(original)","purchase_date_ms":"\(purchased)",\
    "expires_date_ms":"\(expires)","is_trial_period":"false","is_in_intro_offer_period":"false"}],\
    "pending_renewal_info":[{"original_transaction_id":"\(original)","product_id":"\(product)",\
    "auto_renew_product_id":"\(product)","auto_renew_status":"1"}]}
    """
  }

  func line(user: String) -> String { "{\"app_user_id\":\"\(user)\",\"response\":\(text)}" }
}

enum CatalogText {
  static let header = "product_id,subscription_group_id,level,period,offer,price,currency,valid_from\n"

  static func price(_ product: String, _ price: String = "9.99") -> String {
    "\(product),g1,1,P1M,,\(price),USD,\n"
  }
}
