import AppStore
import Subscriptions

/// Body of a version 1 notification with one row of chain 1.
func body(
  _ type: String = "DID_RENEW", rows: [String] = [wireRow("2")], pending: [String] = [wirePending()],
  more: String = ""
) -> String {
  let unified = """
    {"status": 0, "environment": "Production", "latest_receipt": "MIIB",
     "latest_receipt_info": [\(rows.joined(separator: ","))],
     "pending_renewal_info": [\(pending.joined(separator: ","))]}
    """
  return wireObject(
    [
      #""notification_type": "\#(type)""#, #""password": "secret""#, #""environment": "PROD""#,
      #""bid": "com.example.app""#, #""bvrs": "7""#, #""original_transaction_id": 1"#,
      #""auto_renew_product_id": "monthly""#, #""auto_renew_status": "true""#,
      #""unified_receipt": \#(unified)"#,
    ], more)
}

func wirePending(_ more: String = "") -> String {
  wireObject(
    [
      #""original_transaction_id": "1""#, #""product_id": "monthly""#, #""auto_renew_product_id": "monthly""#,
      #""auto_renew_status": "1""#,
    ], more)
}

/// Row in iOS 6 style, as in bodies from before 2020.
func oldRow(_ id: String = "2", _ more: String = "") -> String {
  """
  {"transaction_id": "\(id)", "original_transaction_id": "1", "product_id": "monthly", "quantity": "1",
   "bid": "com.example.old", "bvrs": "3", "web_order_line_item_id": "9\(id)",
   "purchase_date": "2026-01-01 00:00:00 Etc/GMT", "purchase_date_ms": "1767225600000",
   "expires_date": "1769817600000", "expires_date_formatted": "2026-01-31 00:00:00 Etc/GMT",
   "is_trial_period": "false"\(more.isEmpty ? "" : ", " + more)}
  """
}

func kept(_ json: String) throws -> KeptNotification { try KeptNotification(decoding: Array(json.utf8)) }

func notification(_ json: String) throws -> ImportedNotification { try kept(json).notification }
