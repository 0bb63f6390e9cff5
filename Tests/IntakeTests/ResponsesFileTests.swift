import Intake
import Subscriptions
import Testing

struct ResponsesCase: CustomTestStringConvertible, Sendable {
  var name: String
  var text: String
  /// Transaction ids, app user and observation time of each answer.
  var items: [String] = []
  var bad: [String] = []
  var testDescription: String { name }
}

private func answer(_ id: String, status: String = "0") -> String {
  """
  {"status":\(status),"environment":"Production","receipt":{"bundle_id":"com.example.app",\
  "request_date_ms":"1700000000000","in_app":[]},"latest_receipt_info":[{"product_id":"p1",\
  "transaction_id":"\(id)","original_transaction_id":"1","purchase_date_ms":"1690000000000",\
  "expires_date_ms":"1710000000000"}]}
  """
}

private let pretty = """
  {
    "status": 0,
    "receipt": {
      "bundle_id": "com.example.app",
      "in_app": [
        {
          "product_id": "p1",
          "transaction_id": "11",
          "purchase_date_ms": "1690000000000"
        }
      ]
    }
  }
  """

extension ResponsesCase {
  static let good = [
    ResponsesCase(name: "a bare answer", text: answer("11"), items: ["11 - -"]),
    ResponsesCase(name: "21006 carries data", text: answer("11", status: "21006"), items: ["11 - -"]),
    ResponsesCase(
      name: "JSON Lines, with blank lines", text: "\(answer("11"))\n\n\(answer("12"))\n",
      items: ["11 - -", "12 - -"]),
    ResponsesCase(
      name: "JSON Lines as Windows ends them, after a byte order mark",
      text: "\u{FEFF}\(answer("11"))\r\n\(answer("12"))\r\n", items: ["11 - -", "12 - -"]),
    ResponsesCase(name: "one value over several lines", text: pretty, items: ["11 - -"]),
    ResponsesCase(
      name: "in an envelope",
      text: #"{"app_user_id":"u1","observed_at_ms":1700000000123,"response":"# + answer("11") + "}",
      items: ["11 u1 1700000000123"]),
    ResponsesCase(
      name: "an envelope over several lines",
      text: "{\n\"app_user_id\": \"u1\",\n\"response\":\n\(pretty)\n}\n",
      items: ["11 u1 -"]),
    ResponsesCase(
      name: "envelopes and bare answers mixed",
      text: answer("11") + "\n" + #"{"app_user_id":"u2","response":"# + answer("12") + "}\n",
      items: ["11 - -", "12 u2 -"]),
    ResponsesCase(
      name: "brackets and quotes within text do not open anything",
      text: #"{"status":0,"note":"{[\"","receipt":{"bundle_id":"a","in_app":[]}}"# + "\n" + answer("12"),
      items: [" - -", "12 - -"]),
  ]

  static let refused = [
    ResponsesCase(name: "nothing", text: "", bad: ["line 1: the file is empty"]),
    ResponsesCase(
      name: "a user of white space alone", text: #"{"app_user_id":" ","response":"# + answer("11") + "}",
      bad: ["line 1: it is not an answer of verifyReceipt: app_user_id is blank"]),
    ResponsesCase(
      name: "words", text: "We will be back soon.",
      bad: ["line 1: it is not an answer of verifyReceipt: it is not complete JSON"]),
    ResponsesCase(
      name: "a page for people", text: "<html>\n<body>\n</body>\n</html>",
      bad: (1...4).map { "line \($0): it is not an answer of verifyReceipt: it is not complete JSON" }),
    ResponsesCase(
      name: "an answer cut short", text: String(answer("11").dropLast(40)),
      bad: ["line 1: it is not an answer of verifyReceipt: it is not complete JSON"]),
    ResponsesCase(
      name: "JSON Lines whose first is cut short", text: "\(answer("11").dropLast(40))\n\(answer("12"))\n",
      items: ["12 - -"], bad: ["line 1: it is not an answer of verifyReceipt: it is not complete JSON"]),
    ResponsesCase(
      name: "JSON Lines whose last is cut short", text: "\(answer("11"))\n\(answer("12").dropLast(40))\n",
      items: ["11 - -"], bad: ["line 2: it is not an answer of verifyReceipt: it is not complete JSON"]),
    ResponsesCase(
      name: "a status alone", text: #"{"status":0}"#,
      bad: ["line 1: it holds neither a receipt nor a transaction"]),
    ResponsesCase(
      name: "a refusal", text: #"{"status":21003}"#,
      bad: ["line 1: status 21003 (the receipt could not be authenticated) carries no data"]),
    ResponsesCase(
      name: "a refusal's receipt does not count", text: answer("11", status: "21010"),
      bad: ["line 1: status 21010 (the user account cannot be found or has been deleted) carries no data"]),
    ResponsesCase(
      name: "an envelope without an answer in it", text: #"{"app_user_id":"u1","response":null}"#,
      bad: ["line 1: it is not an answer of verifyReceipt: response is null"]),
  ]
}

@Suite("Response files")
struct ResponsesFileTests {
  @Test(arguments: ResponsesCase.good + ResponsesCase.refused)
  func reads(_ example: ResponsesCase) {
    let reading = ResponsesFile.read(Array(example.text.utf8))
    let items = reading.items.map { item in
      let ids = item.answer.transactions.map(\.transactionID.rawValue).joined(separator: ",")
      return "\(ids) \(item.appUserID?.rawValue ?? "-") \(item.observedAt.map { "\($0.rawValue)" } ?? "-")"
    }
    #expect(items == example.items)
    #expect(reading.badLines.map(\.description) == example.bad)
  }

  @Test(arguments: [
    #"{"status":"TOPSECRET"}"#, #"{"status":0,"receipt":"TOPSECRET"}"#,
    #"{"status":0,"latest_receipt":{"TOPSECRET":1}}"#,
    #"{"status":0,"latest_receipt":"TOPSECRET"#, "TOPSECRET",
    #"{"status":0,"latest_receipt_info":[{"product_id":"p","transaction_id":"1","purchase_date_ms":"TOPSECRET"}]}"#,
    #"{"status":0,"latest_receipt_info":[{"product_id":"p","transaction_id":"1","purchase_date_ms":"1767225600000","is_upgraded":"TOPSECRET"}]}"#,
  ])
  func quotesNothing(of line: String) {
    let reading = ResponsesFile.read(Array(line.utf8))
    #expect(!reading.badLines.isEmpty)
    #expect(!reading.badLines.contains { $0.description.contains("TOPSECRET") })
  }
}
