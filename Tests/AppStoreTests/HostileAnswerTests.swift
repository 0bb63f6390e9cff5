import AppStore
import Subscriptions
import Testing

@Suite struct HostileAnswerTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let bytes: [UInt8]
    let says: String

    init(_ name: String, _ json: String, says: String) { self.init(name, Array(json.utf8), says: says) }
    init(_ name: String, _ bytes: [UInt8], says: String) {
      (testDescription, self.bytes, self.says) = (name, bytes, says)
    }
  }

  private static let twice = "it has a duplicate key"
  private static let broken = "it is not complete JSON"
  private static let (noUTF8, wide) = (
    "it is not UTF-8 text", "it contains a NUL byte, or is in UTF-16 or UTF-32 instead of UTF-8"
  )

  @Test(
    "Two members with one name are a contradiction, and are refused",
    arguments: [
      Case("two statuses", #"{"status":0,"status":21005}"#, says: twice),
      Case("one of them escaped", #"{"status":0,"st\u0061tus":21005}"#, says: twice),
      Case("white space before the colon", "{\"status\":0,\"status\" \n\t:21005}", says: twice),
      Case("in a row", wire(latest: [wireRow("1", #""x": 1, "x": 2"#)]), says: twice),
      Case(
        "two lists of rows", wire(latest: [wireRow()], more: #", "latest_receipt_info": []"#), says: twice),
      Case("in a field that is not read", #"{"status":0,"x":[{"y":{"z":1,"z":2}}]}"#, says: twice),
      Case("after texts of brackets and quotes", #"{"a":"\"{[\\","status":0,"b":"]}","a":1}"#, says: twice),
      Case("empty names", #"{"status":0,"":1,"":2}"#, says: twice),
    ])
  func repeated(_ test: Case) throws { try expect(test) }

  @Test func repeatedInTheServerAPI() {
    let (more, twice) = (
      Array(#"{"hasMore":false,"hasMore":true}"#.utf8), UnreadableAnswer(reason: Self.twice)
    )
    #expect(throws: twice) { try HistoryPage(decoding: more) }
    #expect(throws: twice) { try NotificationHistoryPage(decoding: more) }
    #expect(throws: twice) { try SubscriptionStatuses(decoding: Array(#"{"data":[],"data":[]}"#.utf8)) }
  }

  @Test(arguments: [
    #"{"status":21005,"a":{"a":{"a":1}},"b":[{"a":1},{"a":1}],"c":"a"}"#,
    #"{"status":21005,"\\":1,"\\\\":2,"\"":3,"x":"status"}"#,
    #"{"status":21005,"Status":0,"status ":1}"#,
    #"{"status":21005,"e\u0301":1,"\u00e9":2}"#,
  ])
  func similarNamesAreNotDuplicates(_ json: String) throws {
    #expect(try decode(json).status.rawValue == 21005)
  }

  @Test(
    "Text that is not UTF-8 is refused",
    arguments: [
      Case("a byte that stands nowhere", [0x7B, 0x22, 0xFF, 0x22, 0x3A, 0x31, 0x7D], says: noUTF8),
      Case("a byte in the middle of a character", quoting([0xC3, 0x28]), says: noUTF8),
      Case("half a surrogate", quoting([0xED, 0xA0, 0x80]), says: noUTF8),
      Case("half a surrogate, escaped", #"{"status":0,"environment":"\udc00"}"#, says: "environment"),
      Case("UTF-16", [0xFF, 0xFE] + utf16(#"{"status":21005}"#), says: wide),
      Case("UTF-16 without a mark", utf16(#"{"status":21005}"#), says: wide),
      Case("UTF-16, the other way round", [0xFE, 0xFF, 0x00, 0x7B], says: wide),
      Case("UTF-32", [0x00, 0x00, 0x00, 0x7B, 0x00, 0x00, 0x00, 0x7D], says: wide),
      Case("a NUL behind", Array(#"{"status":21005}"#.utf8) + [0], says: wide),
      Case("a NUL in a text", quoting([0]), says: wide),
    ])
  func badText(_ test: Case) throws { try expect(test) }

  @Test func acceptsUnusualButValidJSON() throws {
    for json in [
      Self.deep(511), #"{"status":21005,"x":[",]",0,-0.5,{}]}"#, #"{"status":21005,"x":0.10}"#,
      #"{"status":21005,"x":["\ud83d\ude00\u00e9\/\"\n",-0.5e-3,1E+2]}"#,
    ] {
      #expect(try decode(json).status.rawValue == 21005)
    }
  }

  @Test(arguments: [
    Case("beyond 64 bits", #"{"status":9223372036854775808}"#, says: "status"),
    Case("a million digits", "{\"status\":1\(String(repeating: "0", count: 1_000_000))}", says: ""),
    Case(
      "the last millisecond there is",
      wire(latest: [wireRow("1", #""cancellation_date_ms": 9223372036854775807"#)]), says: "it is not a date"),
    Case(
      "a day of no month",
      wire(latest: [wireRow("1", #""cancellation_date": "2026-99-99 99:99:99 Etc/GMT""#)]),
      says: "it is not a date"),
    Case(
      "a date of 400 digits", wire(latest: [wireRow("1", #""cancellation_date_ms": \#(digits)"#)]),
      says: "latest_receipt_info[0].cancellation_date_ms is a number that is too large"),
    Case("a status of 400 digits", "{\"status\":\(digits)}", says: "status is a number that is too large"),
    Case(
      "an id without digits", wire(latest: [wireRow("1", #""transaction_id": -"#)]), says: "transaction_id"),
    Case(
      "an id of 400 digits", wire(latest: [wireRow("1", #""transaction_id": \#(digits)"#)]),
      says: "latest_receipt_info[0].transaction_id is longer than 128 bytes"),
  ])
  func badNumbers(_ test: Case) throws { try expect(test) }

  /// A quadratic reader would not finish these.
  @Test(arguments: [
    Case("rows of one id", wire(latest: .init(repeating: wireRow(), count: 20_000)), says: ""),
    Case(
      "members", "{\"status\":21005\((0..<200_000).map { ",\"\($0)\":0" }.joined())}", says: ""),
    Case(
      "a text of escapes", "{\"status\":21005,\"a\":\"\(String(repeating: "\\\"", count: 500_000))\"}",
      says: ""),
    Case(
      "a text without end", "{\"status\":21005,\"a\":\"\(String(repeating: "\\\"", count: 500_000))",
      says: broken),
    Case("blanks", "{\"status\":21005,\"a\"\(String(repeating: " ", count: 2_000_000)):1}", says: ""),
  ])
  func manyOf(_ test: Case) throws {
    if test.says.isEmpty {
      #expect(throws: Never.self) { try VerifyReceiptResponse(decoding: test.bytes) }
    } else {
      try expect(test)
    }
  }

  /// Digests are computed recursively.
  @Test(arguments: [100, 500, 5_000, 100_000])
  func deepNotificationsDoNotCrash(_ depth: Int) {
    let deep = String(repeating: "{\"a\":[", count: depth) + String(repeating: "]}", count: depth)
    let json = #"{"notification_type":"CANCEL","original_transaction_id":"1","x":\#(deep)}"#
    #expect(((try? KeptNotification(decoding: Array(json.utf8))) != nil) == (depth < 250))
  }

  private func expect(_ test: Case) throws {
    let reason = try #require(throws: UnreadableAnswer.self) {
      try VerifyReceiptResponse(decoding: test.bytes)
    }.reason
    #expect(reason.contains(test.says), "\(reason)")
    #expect(reason.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }, "it moves a terminal")
  }

  private static let digits = String(repeating: "9", count: 400)

  private static func deep(_ arrays: Int) -> String {
    let (open, close) = (String(repeating: "[", count: arrays), String(repeating: "]", count: arrays))
    return #"{"status":21005,"x":\#(open)\#(close)}"#
  }

  private static func quoting(_ bytes: [UInt8]) -> [UInt8] {
    Array(#"{"status":0,"environment":""#.utf8) + bytes + Array(#""}"#.utf8)
  }

  private static func utf16(_ text: String) -> [UInt8] {
    text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
  }
}
