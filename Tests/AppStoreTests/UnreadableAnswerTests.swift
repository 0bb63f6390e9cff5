import AppStore
import Subscriptions
import Testing

@Suite struct UnreadableAnswerTests {
  /// Value that must not appear in any message.
  private static let secret = "s3cr3t7777"

  struct Case: CustomTestStringConvertible {
    let name: String
    let json: String
    let says: String
    var testDescription: String { name }
  }

  @Test(arguments: [
    Case(name: "empty", json: "", says: "JSON"),
    Case(name: "HTML", json: "<html><body>\(secret)</body></html>", says: "JSON"),
    Case(name: "an array", json: "[\"\(secret)\"]", says: "the answer has the wrong type"),
    Case(name: "cut off", json: String(wire(latest: [wireRow(secret)]).dropLast(40)), says: "JSON"),
    Case(name: "no status", json: "{\"receipt\": \"\(secret)\"}", says: "status is missing"),
    Case(
      name: "status a word", json: "{\"status\": \"\(secret)\"}",
      says: "status cannot be read: it is not a number"),
    Case(name: "status too large", json: "{\"status\": 77777777777777777777777}", says: "status"),
    Case(
      name: "status an object", json: "{\"status\": {\"\(secret)\": 1}}", says: "status has the wrong type"),
    Case(
      name: "a flag", json: wire(latest: [wireRow("1", "\"is_upgraded\": \"\(secret)\"")]),
      says: "latest_receipt_info[0].is_upgraded cannot be read: it is neither true nor false"),
    Case(
      name: "a date",
      json: wire(latest: [wireRow(), wireRow("2", "\"cancellation_date_ms\": \"\(secret)\"")]),
      says: "latest_receipt_info[1].cancellation_date_ms cannot be read: it is not a date"),
    Case(
      name: "a date beyond the year 9999",
      json: wire(latest: [wireRow("1", "\"cancellation_date_ms\": \"253402300800000\"")]),
      says: "cancellation_date_ms cannot be read: it is not a date"),
    Case(
      name: "a NUL", json: wire(latest: [wireRow("1\\u0000\(secret)")]),
      says: "latest_receipt_info[0].transaction_id cannot be read: it holds a NUL"),
    Case(
      name: "no transaction id", json: wire(inApp: ["{\"product_id\": \"\(secret)\"}"]),
      says: "receipt.in_app[0].transaction_id is missing"),
    Case(
      name: "no product",
      json: wire(inApp: ["{\"transaction_id\": \"\(secret)\", \"purchase_date_ms\": \"1767225600000\"}"]),
      says: "receipt.in_app[0].product_id is missing"),
    Case(
      name: "no purchase date",
      json: wire(latest: ["{\"transaction_id\": \"\(secret)\", \"product_id\": \"a\"}"]),
      says: "purchase_date_ms is missing"),
    Case(
      name: "rows that are text", json: "{\"status\": 0, \"latest_receipt_info\": \"\(secret)\"}",
      says: "latest_receipt_info has the wrong type"),
    Case(name: "a row that is null", json: wire(latest: ["null"]), says: "latest_receipt_info[0]"),
    Case(
      name: "a renewal info that is text", json: wire(pending: ["\"\(secret)\""]),
      says: "pending_renewal_info[0] has the wrong type"),
    Case(name: "bad UTF-8 escapes", json: "{\"status\": 0, \"environment\": \"\\ud800\(secret)\"}", says: ""),
  ])
  func namesTheFieldAndNeverTheContent(_ test: Case) throws {
    var reason = ""
    do {
      _ = try decode(test.json)
      Issue.record("it was read")
    } catch {
      reason = "\(error)"
    }
    #expect(reason.contains(test.says), "\(reason)")
    #expect(!reason.contains(Self.secret) && !reason.contains("7777"), "\(reason)")
    #expect(!reason.isEmpty)
  }

  @Test(arguments: [100, 600, 5000, 200_000])
  func deepNestingDoesNotCrash(_ depth: Int) {
    let deep = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    let objects = String(repeating: "{\"a\":", count: depth) + "1" + String(repeating: "}", count: depth)
    for json in [deep, objects, "{\"status\": 0, \"receipt\": {\"x\": \(deep)}}", String(deep.prefix(depth))]
    {
      _ = try? decode(json)
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
