import AppStore
import Subscriptions
import Testing

@Suite struct UnreadableAnswerTests {
  /// Value that must not appear in any message.
  private static let secret = "s3cr3t7777"

  @Test(arguments: [
    ("empty", "", "JSON"),
    ("HTML", "<html><body>\(secret)</body></html>", "JSON"),
    ("an array", "[\"\(secret)\"]", "the answer has the wrong type"),
    ("cut off", String(wire(latest: [wireRow(secret)]).dropLast(40)), "JSON"),
    ("no status", "{\"receipt\": \"\(secret)\"}", "status is missing"),
    ("status a word", "{\"status\": \"\(secret)\"}", "status cannot be read: it is not a number"),
    ("status too large", "{\"status\": 77777777777777777777777}", "status"),
    ("status an object", "{\"status\": {\"\(secret)\": 1}}", "status has the wrong type"),
    (
      "a flag", wire(latest: [wireRow("1", "\"is_upgraded\": \"\(secret)\"")]),
      "latest_receipt_info[0].is_upgraded cannot be read: it is neither true nor false"
    ),
    (
      "a date", wire(latest: [wireRow(), wireRow("2", "\"cancellation_date_ms\": \"\(secret)\"")]),
      "latest_receipt_info[1].cancellation_date_ms cannot be read: it is not a date"
    ),
    (
      "a date beyond the year 9999",
      wire(latest: [wireRow("1", "\"cancellation_date_ms\": \"253402300800000\"")]),
      "cancellation_date_ms cannot be read: it is not a date"
    ),
    (
      "a NUL", wire(latest: [wireRow("1\\u0000\(secret)")]),
      "latest_receipt_info[0].transaction_id cannot be read: it contains a NUL byte"
    ),
    (
      "no transaction id", wire(inApp: ["{\"product_id\": \"\(secret)\"}"]),
      "receipt.in_app[0].transaction_id is missing"
    ),
    (
      "no product",
      wire(inApp: ["{\"transaction_id\": \"\(secret)\", \"purchase_date_ms\": \"1767225600000\"}"]),
      "receipt.in_app[0].product_id is missing"
    ),
    (
      "no purchase date", wire(latest: ["{\"transaction_id\": \"\(secret)\", \"product_id\": \"a\"}"]),
      "purchase_date_ms is missing"
    ),
    (
      "rows that are text", "{\"status\": 0, \"latest_receipt_info\": \"\(secret)\"}",
      "latest_receipt_info has the wrong type"
    ),
    ("a row that is null", wire(latest: ["null"]), "latest_receipt_info[0]"),
    (
      "a renewal info that is text", wire(pending: ["\"\(secret)\""]),
      "pending_renewal_info[0] has the wrong type"
    ),
    ("bad UTF-8 escapes", "{\"status\": 0, \"environment\": \"\\ud800\(secret)\"}", ""),
  ])
  func namesTheFieldAndNeverTheContent(_ name: String, _ json: String, _ says: String) throws {
    let reason = try #require(throws: UnreadableAnswer.self) { try decode(json) }.reason
    #expect(reason.contains(says), "\(reason)")
    #expect(!reason.contains(Self.secret) && !reason.contains("7777"), "\(reason)")
    #expect(!reason.isEmpty)
  }

  @Test(arguments: [600, 5000, 200_000])
  func refusesDeepNesting(_ depth: Int) {
    let deep = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    let objects = String(repeating: "{\"a\":", count: depth) + "1" + String(repeating: "}", count: depth)
    for json in [deep, objects, "{\"status\": 0, \"receipt\": {\"x\": \(deep)}}", String(deep.prefix(depth))]
    {
      #expect(throws: (any Error).self) { try decode(json) }
    }
  }

  @Test func everyPrefixIsReadOrRefused() {
    let bytes = Array(
      wire(latest: [wireRow()], inApp: [wireRow("2")], pending: ["{\"product_id\": \"a\"}"]).utf8)
    for length in 0..<bytes.count {
      #expect(throws: UnreadableAnswer.self) { try VerifyReceiptResponse(decoding: Array(bytes[..<length])) }
    }
  }
}
