import AppStore
import Subscriptions
import Testing

func wire(
  status: String = "0", latest: [String] = [], inApp: [String] = [], pending: [String] = [], more: String = ""
) -> String {
  """
  {"status": \(status), "environment": "Production", "latest_receipt": "MIIB",
   "receipt": {"receipt_type": "Production", "bundle_id": "com.example.app", "request_date_ms": "1767225600000",
     "in_app": [\(inApp.joined(separator: ","))]},
   "latest_receipt_info": [\(latest.joined(separator: ","))],
   "pending_renewal_info": [\(pending.joined(separator: ","))]\(more)}
  """
}

/// JSON of a row, in which the fields in `more` replace the defaults or are added.
func wireRow(_ id: String = "1", _ more: String = "") -> String {
  wireObject(
    [
      #""transaction_id": "\#(id)""#, #""original_transaction_id": "1""#, #""product_id": "monthly""#,
      #""quantity": "1""#, #""purchase_date_ms": "1767225600000""#, #""expires_date_ms": "1769817600000""#,
    ], more)
}

func wireObject(_ usual: [String], _ more: String) -> String {
  let kept = usual.filter { !more.contains($0.prefix { $0 != ":" } + ":") }
  return "{\((kept + (more.isEmpty ? [] : [more])).joined(separator: ", "))}"
}

func decode(_ json: String, from environment: StoreEnvironment? = nil) throws -> VerifyReceiptResponse {
  try VerifyReceiptResponse(decoding: Array(json.utf8), from: environment)
}

func answer(_ json: String) throws -> Answer { try #require(try decode(json).answer) }

func transaction(_ more: String) throws -> Transaction {
  try #require(try answer(wire(latest: [wireRow("1", more)])).transactions.first)
}
