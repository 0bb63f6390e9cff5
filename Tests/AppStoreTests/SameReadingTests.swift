import ReferenceDecoding
import Testing

/// The scanner reads whatever it is given as Foundation's decoder does, and refuses it with the same words.
@Suite struct SameReadingTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let bytes: [UInt8]

    init(_ name: String, _ json: String) { self.init(name, Array(json.utf8)) }
    init(_ name: String, _ bytes: [UInt8]) { (testDescription, self.bytes) = (name, bytes) }
  }

  @Test(arguments: [
    Case("nothing", ""), Case("a blank", " "), Case("a byte order mark alone", [0xEF, 0xBB, 0xBF]),
    Case("a byte order mark before", [0xEF, 0xBB, 0xBF] + Array(#"{"status":21005}"#.utf8)),
    Case("a byte order mark twice", [0xEF, 0xBB, 0xBF, 0xEF, 0xBB, 0xBF] + Array(#"{"status":21005}"#.utf8)),
    Case("two bytes of UTF-16 that are no NUL", [0xFF, 0xFE, 0x7B, 0x7D]),
    Case("an answer behind", #"{"status":21005}{"status":0}"#),
    Case("a bracket behind", #"{"status":21005}}"#), Case("blanks behind", "{\"status\":21005} \t\r\n"),
    Case("a form feed behind", "{\"status\":21005}\u{0C}"),
    Case("a comma at the end", #"{"status":21005,}"#), Case("two of them", #"{"status":21005,,}"#),
    Case("a comma alone", "{,}"), Case("a comma at the end of a list", #"{"status":21005,"x":[1,]}"#),
    Case("a comma alone in a list", #"{"status":21005,"x":[,]}"#),
    Case("a comma with blanks", "{\"status\":21005 , \n }"),
    Case("no comma", #"{"status":21005 "x":1}"#), Case("no colon", #"{"status" 21005}"#),
    Case("a name that is a number", #"{1:2,"status":0}"#), Case("the wrong bracket", #"{"status":21005]"#),
    Case("a list's bracket in an object", #"{"x":[1}}"#), Case("half a word", #"{"status":tru"#),
    Case("a word and more", #"{"status":21005,"x":truex}"#), Case("a wrong word", #"{"x":nulL,"status":1}"#),
  ])
  func shapes(_ test: Case) { hold(test.bytes) }

  @Test(
    "Numbers",
    arguments: [
      "0", "-0", "00", "01", "-01", "-", "+1", ".5", "5.", "0.", "0.0", "-0.0", "1.0", "21005.0", "2.1005e4",
      "2.1005E+4", "21005e0", "21005e-0", "210050e-1", "1e", "1e+", "1.e5", "1.5.5", "1e5.5", "1e5e5", "1-5",
      "--1",
      "1e400", "-1e400", "1e-400", "0e400", "0e99999999999999999999", "1e99999999999999999999",
      "1e-99999999999999999999",
      "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809",
      "9007199254740992", "9007199254740993.0", "9007199254740993.5", "9007199254740991.5", "1e18", "1e19",
      "-1e18",
      "9.2e18", "9.3e18", "90071992547409930e-1", "9007199254740993.00000000000000000000000000000000000001",
      "9007199254740993.12345678901234567890", "90071992547409930000000000000000000000000000000000000e-37",
      "1e22", "1.5",
      "0.1", "1e-7", "123456789012345678901234567890", "1.7976931348623157e308", "5e-324",
      "1.0000000000000001",
      "-9007199254740993.0", "2251799813685248.5", "18446744073709551616", "1E3", "0x1", "1_000", "Infinity",
      "NaN",
    ])
  func numbers(_ number: String) {
    for name in ["status", "environment", "x"] {
      hold(#"{"status":0,"\#(name)":\#(number)}"#.replacing(#""status":0,"status""#, with: #""status""#))
    }
    hold(wire(latest: [wireRow("1", #""web_order_line_item_id": \#(number), "is_upgraded": \#(number)"#)]))
    hold(wire(latest: [wireRow("1", #""quantity": \#(number), "cancellation_date_ms": \#(number)"#)]))
    hold(wire(latest: [wireRow("1", #""cancellation_date": \#(number)"#)]))
    hold(#"{"notification_type":"CANCEL","original_transaction_id":1,"password":"a","x":\#(number)}"#)
    hold(number)
  }

  @Test(
    "Texts",
    arguments: [
      #"\""#, #"\\"#, #"\/"#, #"\b\f\n\r\t"#, #"\u0041"#, #"\u00e9"#, #"\uD83D\uDE00"#, #"\ud83d"#,
      #"\ud83dx"#,
      #"\ud83d\n"#, #"\ud83d\u0041"#, #"\ud83d\ud83d"#, #"\ude00"#, #"\u12"#, #"\u12g4"#, #"\u+123"#,
      #"\u 123"#,
      #"\u0000"#, #"\u00001"#, #"\x"#, #"\"#, #"\u"#, #"\uFFFF"#, #"\uFEFF"#, "é", "e\u{301}", "😀",
      "\u{FEFF}", "\u{7F}",
      "\u{1}", "\n", "\t", "\r", "", " ", "true", "TRUE", "True", "FALSE", "1", "0", "1.0", "0.0", "1.00",
      "+1", "-1", "-5",
      "٣", "007", "00000000000000001767225600000", "1767225600000", "12345678901234", "9999999999999",
      "253402300799999",
      "253402300800000", "1e3", "2026-01-01", "2026-01-01 00:00:00 Etc/GMT", "2026-01-01T00:00:00Z", "null",
      "aaaaaaaé", "aaaaaaaa\u{1}", #"aaaaaaa\u0061"#, "Etc/GMT", "2026-01-01 00:00:00 Etc/GMT Etc/GMT",
      "ſtatus",
    ])
  func texts(_ text: String) {
    for name in ["status", "environment", text, "x"] {
      hold(#"{"status":21006,"\#(name)":"\#(text)"}"#)
      hold(#"{"\#(name)":"\#(text)"}"#)
    }
    for name in [
      "transaction_id", "product_id", "purchase_date_ms", "is_upgraded", "quantity", "cancellation_date",
    ] {
      hold(wire(latest: [wireRow("1", #""\#(name)": "\#(text)""#)]))
    }
    hold(wire(inApp: [wireRow("1", #""\#(text)": 1"#)]))
    hold(wire(more: #", "x": {"\#(text)": 1}"#))
    hold(
      #"{"notification_type":"CANCEL","original_transaction_id":"1","password":"\#(text)","\#(text)":{"x":"\#(text)"}}"#
    )
    hold(#"{"app_user_id":"\#(text)","observed_at_ms":"\#(text)","response":\#(wire(latest: [wireRow()]))}"#)
  }

  @Test(
    "Bytes that are not UTF-8",
    arguments: [
      [0xFF], [0xC3], [0xC3, 0x28], [0xE2, 0x82], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80],
      [0x00],
      [0x5C, 0x6E, 0xC3], [0xC3, 0x5C, 0x6E], [0x41, 0x80], [0x1B], [0x5C, 0x75, 0xC3, 0xA9, 0xC3, 0xA9],
      [0x5C, 0x00], [0x5C, 0x75, 0x00, 0x30, 0x34, 0x31], [0x5C, 0x01], [0x5C, 0x75, 0x30, 0x30, 0x0A, 0x31],
    ] as [[UInt8]])
  func badBytes(_ bytes: [UInt8]) {
    let frames: [(String, String)] = [
      (#"{"status":0,"environment":""#, #""}"#), (#"{"status":0,"x":""#, #""}"#),
      (#"{"status":0,""#, #"":1}"#),
      (#"{"status":0,"x":{""#, #"":1}}"#), (#"{"status":0,"x":{""#, #"":1,"x":1,"x":2}}"#),
      (#"{"status":0"#, "}"),
      (#"{"status":0,"latest_receipt_info":{""#, #"":1}}"#),
      (#"{"status":0,"receipt":{"in_app":[{""#, #"":1}]}}"#),
      (#"{"status":21005,"receipt":{""#, #"":1}}"#), ("", #"{"status":0}"#), (#"{"status":0}"#, ""),
      (#"{"notification_type":"CANCEL","original_transaction_id":"1","x":""#, #""}"#),
      (#"{"notification_type":"CANCEL","original_transaction_id":"1","x":{""#, #"":1}}"#),
      (#"{"notification_type":"CANCEL","original_transaction_id":"1","password":""#, #""}"#),
    ]
    for (before, after) in frames { hold(Array(before.utf8) + bytes + Array(after.utf8)) }
  }

  @Test(
    "Values of every kind where another is expected",
    arguments: [
      "null", "true", "false", "1", "\"\"", "\"a\"", "[]", "{}", "[null]", "[[]]", "[{}]", "[1]", "[\"a\"]",
    ])
  func kinds(_ value: String) {
    let names = [
      "status", "environment", "receipt", "is-retryable", "is_retryable", "latest_receipt",
      "latest_receipt_info",
      "latest_expired_receipt_info", "latest_expired_receipt", "pending_renewal_info", "auto_renew_status",
      "expiration_intent", "is_in_billing_retry_period", "response", "notification", "app_user_id",
      "observed_at_ms",
      "unified_receipt", "password", "notification_type", "signedPayload", "notificationUUID", "bid", "x",
    ]
    hold(value)
    for name in names {
      hold(#"{"\#(name)":\#(value)}"#)
      hold(#"{"\#(name)":\#(value),"status":0,"notification_type":"CANCEL","original_transaction_id":"1"}"#)
      hold(#"{"status":21006,"\#(name)":\#(value)}"#)
      hold(#"{"status":21150,"\#(name)":\#(value)}"#)
      hold(#"{"response":{"status":0,"\#(name)":\#(value)},"app_user_id":"u"}"#)
      hold(
        #"{"notification":{"notification_type":"CANCEL","original_transaction_id":"1","\#(name)":\#(value)}}"#
      )
      hold(
        #"{"notification_type":"CANCEL","original_transaction_id":"1","unified_receipt":{"\#(name)":\#(value)}}"#
      )
    }
    for name in [
      "in_app", "bundle_id", "bid", "receipt_type", "request_date", "request_date_ms", "transaction_id",
    ] {
      hold(#"{"status":0,"receipt":{"\#(name)":\#(value)}}"#)
    }
    for name in [
      "transaction_id", "product_id", "purchase_date_ms", "purchase_date", "is_trial_period", "quantity",
    ] {
      hold(wire(latest: [wireRow(), wireRow("2", #""\#(name)": \#(value)"#)]))
      hold(wire(inApp: [wireRow("2", #""\#(name)": \#(value)"#)]))
    }
    for name in ["product_id", "auto_renew_status", "grace_period_expires_date_ms", "price_consent_status"] {
      hold(wire(pending: [#"{"\#(name)": \#(value)}"#]))
    }
  }

  @Test(arguments: [1, 255, 256, 509, 510, 511, 512, 513, 5000])
  func depths(_ depth: Int) {
    let lists = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    let objects = String(repeating: #"{"a":"#, count: depth) + "1" + String(repeating: "}", count: depth)
    for deep in [lists, objects] {
      hold(deep)
      hold(#"{"status":21005,"x":\#(deep)}"#)
      hold(#"{"status":0,"receipt":{"x":[\#(deep)]}}"#)
      hold(#"{"notification_type":"CANCEL","original_transaction_id":"1","x":\#(deep)}"#)
    }
  }

  /// Of two members of one name the first is read, and then it is refused; what is wrong before that comes first.
  @Test(arguments: [
    #""status":0,"status":"a""#, #""status":"a","status":0"#,
    #""status":0,"environment":"\ud800","environment":"a""#,
    #""status":0,"receipt":1,"receipt":{}"#, #""status":0,"receipt":{},"receipt":1"#,
    #""status":0,"\ud800":1,"\ud800":1"#,
    #""status":0,"x":{"\n":1,"\u000a":2}"#, #""status":0,"é":1,"\u00e9":2"#,
    #""status":0,"x":[{"a":1,"a":1}]"#,
    #""status":0,"latest_receipt_info":[{"a":1,"a":1}]"#,
  ])
  func repetitions(_ members: String) { hold("{\(members)}") }

  @Test func manyNames() {
    let names = (0..<300).map { #""name\#($0)":0"# }
    hold(#"{"status":21005,\#(names.joined(separator: ","))}"#)
    for again in [0, 15, 16, 17, 31, 32, 200, 299] {
      hold(#"{"status":21005,\#(names.joined(separator: ",")),"name\#(again)":1}"#)
      hold(#"{"status":21005,\#(names.joined(separator: ",")),"n\u0061me\#(again)":1}"#)
    }
  }

  private func hold(_ json: String) { hold(Array(json.utf8)) }

  private func hold(_ bytes: [UInt8]) {
    if let difference = ReferenceDecoding.difference(in: bytes) {
      Issue.record("\(String(decoding: bytes.prefix(2000), as: UTF8.self)): \(difference)")
    }
  }
}
