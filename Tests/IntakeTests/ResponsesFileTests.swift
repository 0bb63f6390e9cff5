import Intake
import Subscriptions
import Testing

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

/// Files of answers; items are written as transaction ids, app user and observation time.
enum ResponsesCases {
  static let good = [
    FileCase("a bare answer", answer("11"), ["11 - -"]),
    FileCase("21006 carries data", answer("11", status: "21006"), ["11 - -"]),
    FileCase("JSON Lines, with blank lines", "\(answer("11"))\n\n\(answer("12"))\n", ["11 - -", "12 - -"]),
    FileCase(
      "JSON Lines as Windows ends them, after a byte order mark",
      "\u{FEFF}\(answer("11"))\r\n\(answer("12"))\r\n", ["11 - -", "12 - -"]),
    FileCase("one value over several lines", pretty, ["11 - -"]),
    FileCase(
      "in an envelope",
      #"{"app_user_id":"u1","observed_at_ms":1700000000123,"response":"# + answer("11") + "}",
      ["11 u1 1700000000123"]),
    FileCase(
      "an envelope over several lines", "{\n\"app_user_id\": \"u1\",\n\"response\":\n\(pretty)\n}\n",
      ["11 u1 -"]),
    FileCase(
      "an envelope whose second line is the answer",
      "{\"app_user_id\":\"u1\",\"response\":\n\(answer("11"))}\n", ["11 u1 -"]),
    FileCase(
      "envelopes and bare answers mixed",
      answer("11") + "\n" + #"{"app_user_id":"u2","response":"# + answer("12") + "}\n", ["11 - -", "12 u2 -"]),
    FileCase(
      "brackets and quotes within text do not open anything",
      #"{"status":0,"note":"{[\"","receipt":{"bundle_id":"a","in_app":[]}}"# + "\n" + answer("12"),
      [" - -", "12 - -"]),
  ]

  static let refused = [
    FileCase("nothing", "", bad: ["line 1: the file is empty"]),
    FileCase(
      "a user of white space alone", #"{"app_user_id":" ","response":"# + answer("11") + "}",
      bad: ["line 1: it is not a verifyReceipt answer: app_user_id is blank"]),
    FileCase(
      "words", "We will be back soon.",
      bad: ["line 1: it is not a verifyReceipt answer: it is not complete JSON"]),
    FileCase(
      "a page for people", "<html>\n<body>\n</body>\n</html>",
      bad: (1...4).map { "line \($0): it is not a verifyReceipt answer: it is not complete JSON" }),
    FileCase(
      "an answer cut short", String(answer("11").dropLast(40)),
      bad: ["line 1: it is not a verifyReceipt answer: it is not complete JSON"]),
    FileCase(
      "JSON Lines whose first is cut short", "\(answer("11").dropLast(40))\n\(answer("12"))\n", ["12 - -"],
      bad: ["line 1: it is not a verifyReceipt answer: it is not complete JSON"]),
    FileCase(
      "JSON Lines whose last is cut short", "\(answer("11"))\n\(answer("12").dropLast(40))\n", ["11 - -"],
      bad: ["line 2: it is not a verifyReceipt answer: it is not complete JSON"]),
    FileCase(
      "one value over several lines that is broken", "{\"response\":\n{\"status\":0,\n\"receipt\":}\n}\n",
      bad: ["line 1: it is not a verifyReceipt answer: it is not complete JSON"]),
    FileCase(
      "a status alone", #"{"status":0}"#, bad: ["line 1: it contains neither a receipt nor a transaction"]),
    FileCase(
      "a refusal", #"{"status":21003}"#,
      bad: ["line 1: status 21003 (the receipt could not be authenticated) carries no data"]),
    FileCase(
      "a refusal's receipt does not count", answer("11", status: "21010"),
      bad: ["line 1: status 21010 (the user account cannot be found or has been deleted) carries no data"]),
    FileCase(
      "an envelope without an answer in it", #"{"app_user_id":"u1","response":null}"#,
      bad: ["line 1: it is not a verifyReceipt answer: response is null"]),
  ]
}

@Suite("Response files")
struct ResponsesFileTests {
  @Test(arguments: ResponsesCases.good + ResponsesCases.refused)
  func reads(_ example: FileCase) {
    let reading = ResponsesFile.read(example.bytes)
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
