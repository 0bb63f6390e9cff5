import Intake
import Subscriptions
import Testing

private let notAnObject = "it is not a JSON object with text under receipt-data, app_user_id and bundle_id"
private let remove = "remove or rename one"
private let neither = "it is neither JSON Lines nor CSV nor one base64 receipt"

/// Files of receipts; items are written as receipt, app user and app.
enum ReceiptsCases {
  static let good = [
    FileCase(
      "one line with everything",
      #"{"receipt-data":"MIIB","app_user_id":"u1","bundle_id":"com.example.app"}"#,
      ["MIIB u1 com.example.app"]),
    FileCase(
      "only the receipt, and an unknown key", #"{"receipt-data":"MIIB","password":"x"}"#, ["MIIB - -"]),
    FileCase("empty ids are none", #"{"receipt-data":"MIIB","app_user_id":"","bundle_id":""}"#, ["MIIB - -"]),
    FileCase(
      "null ids are none", #"{"receipt-data":"MIIB","app_user_id":null,"bundle_id":null}"#, ["MIIB - -"]),
    FileCase(
      "ids beyond ASCII, and escaped ones", #"{"receipt-data":"MIIB","app_user_id":"żółw \u4e2d"}"#,
      ["MIIB żółw 中 -"]),
    FileCase(
      "a user that is a number beyond 64 bits",
      #"{"receipt-data":"MIIB","app_user_id":18446744073709551616}"#, ["MIIB 18446744073709551616 -"]),
    FileCase(
      "several lines, blank ones between, no line break at the end",
      "{\"receipt-data\":\"MIIB\"}\n\n  \n{\"receipt-data\":\"MIIC\"}", ["MIIB - -", "MIIC - -"]),
    FileCase(
      "lines that end as on Windows", "{\"receipt-data\":\"MIIB\"}\r\n\r\n{\"receipt-data\":\"MIIC\"}\r\n",
      ["MIIB - -", "MIIC - -"]),
    FileCase("a byte order mark", "\u{FEFF}{\"receipt-data\":\"MIIB\"}\n", ["MIIB - -"]),
    FileCase(
      "base64 with escaped slashes and line breaks", #"{"receipt-data":"MI\/B\r\nAA=="}"#, ["MI/BAA== - -"]),
    FileCase("base64url without padding", #"{"receipt-data":"MI-_AA"}"#, ["MI+/AA== - -"]),
    FileCase("bare base64", "MIIBAQ==", ["MIIBAQ== - -"]),
    FileCase(
      "bare base64 over several lines, with blank ones", "\n\nMIIB\r\nAQID\r\n\r\nBA==\r\n",
      ["MIIBAQIDBA== - -"]),
    FileCase("bare base64 of the iOS 6 style, text in braces", "ewoJInNpZ25h\n", ["ewoJInNpZ25h - -"]),
  ]

  static let faulty = [
    FileCase("nothing", "", bad: ["line 1: the file is empty"]),
    FileCase("blank lines alone", "\n \r\n\t\n", bad: ["line 1: the file is empty"]),
    FileCase("words", "this is not JSON\n", bad: ["line 1: \(neither)"]),
    FileCase("a JSON array", #"[{"receipt-data":"MIIB"}]"#, bad: ["line 1: \(notAnObject)"]),
    FileCase("a line cut short", #"{"receipt-data":"MII"#, bad: ["line 1: \(notAnObject)"]),
    FileCase("no receipt", #"{"app_user_id":"u1"}"#, bad: ["line 1: receipt-data is missing"]),
    FileCase(
      "a receipt that is not base64", #"{"receipt-data":"no base64!"}"#,
      bad: ["line 1: receipt-data is not base64"]),
    FileCase("a receipt that is a number", #"{"receipt-data":17}"#, bad: ["line 1: \(notAnObject)"]),
    FileCase(
      "bad lines among good ones keep their numbers",
      "{\"receipt-data\":\"MIIB\"}\n\n{}\nMIIB\n{\"receipt-data\":\"MIIC\"}\n", ["MIIB - -", "MIIC - -"],
      bad: ["line 3: receipt-data is missing", "line 4: \(notAnObject)"]),
    FileCase(
      "a first line that is words leaves the others readable",
      "# receipts of March\n{\"receipt-data\":\"MIIB\"}\n", ["MIIB - -"], bad: ["line 1: \(notAnObject)"]),
    FileCase(
      "a user over its limit",
      "{\"receipt-data\":\"MIIB\",\"app_user_id\":\"\(String(repeating: "u", count: 1025))\"}",
      bad: ["line 1: app_user_id is longer than 1024 bytes"]),
  ]

  static let columns = [
    FileCase(
      "every column, in another order and among others",
      "bundle_id,note,app_user_id,receipt\r\ncom.example.app,x,u1,MIIB\r\n,,,MIIC\r\n",
      ["MIIB u1 com.example.app", "MIIC - -"]),
    FileCase(
      "quoted fields", "\"receipt\",\"app_user_id\"\n\"MIIB\",\"a, \"\"b\"\"\"\n", ["MIIB a, \"b\" -"]),
    FileCase(
      "bad lines keep their numbers",
      "receipt,app_user_id\nMIIB\n!,u\n,u\n\"MIIB,u\nMIIB,\(String(repeating: "u", count: 1025))\nMIIC,u\n",
      ["MIIC u -"],
      bad: [
        "line 2: it has 1 fields instead of 2", "line 3: receipt is not base64", "line 4: receipt is missing",
        "line 5: a quote is not closed", "line 6: app_user_id is longer than 1024 bytes",
      ]),
    FileCase(
      "a header without receipts", "id,app_user_id\n1,u\n",
      bad: ["line 1: it is neither JSON Lines nor CSV nor one base64 receipt"]),
    FileCase(
      "a column twice", "receipt,app_user_id,Receipt\nMIIB,u,MIIC\n",
      bad: ["line 1: the header names receipt more than once, in columns 1 and 3; \(remove)"]),
    FileCase(
      "a user in two spellings", "receipt,App User ID,app_user_id\nMIIB,u,v\n",
      bad: ["line 1: the header names app_user_id more than once, in columns 2 and 3; \(remove)"]),
    FileCase(
      "rows of other stores are left out",
      "app_user_id,store,receipt\nu,app_store,MIIB\nv,play_store,token.AO-J1\nw,,MIIC\n",
      ["MIIB u -", "MIIC w -"]),
    FileCase(
      "a header of ids", "rc_original_app_user_id,original_store_transaction_id\nu,1\n",
      bad: ["line 1: the header has ids, not receipts; use `subtop import ids`"]),
  ]
}

@Suite("Receipts files")
struct ReceiptsFileTests {
  @Test(arguments: ReceiptsCases.good + ReceiptsCases.faulty + ReceiptsCases.columns)
  func reads(_ example: FileCase) {
    let reading = ReceiptsFile.read(example.bytes)
    let read = reading.items.map {
      "\($0.data?.base64 ?? "-") \($0.appUserID?.rawValue ?? "-") \($0.bundleID?.rawValue ?? "-")"
    }
    #expect(read == example.items)
    #expect(reading.badLines.map(\.description) == example.bad)
  }

  @Test func refusesInvalidUTF8() {
    let reading = ReceiptsFile.read([0xFF, 0xFD, 0x00, 0x4D, 0x0A])
    #expect(reading.badLines.map(\.description) == ["line 1: \(neither)"])
    let line = Array(#"{"receipt-data":""#.utf8) + [0xC3, 0x28] + Array(#""}"#.utf8)
    #expect(ReceiptsFile.read(line).items.isEmpty)
    #expect(ReceiptsFile.read(line).badLines.count == 1)
  }

  @Test(arguments: [
    #"{"receipt-data":"TOPSECRET!"}"#, #"{"receipt-data":"TOPSECRET"#, #"{"receipt-data":["TOPSECRET"]}"#,
    #"{"app_user_id":{"TOPSECRET":1},"receipt-data":"MIIB"}"#, "TOPSECRET",
  ])
  func quotesNothing(of line: String) {
    let reading = ReceiptsFile.read(Array(line.utf8))
    #expect(!reading.badLines.isEmpty)
    #expect(!reading.badLines.contains { $0.description.contains("TOPSECRET") })
  }
}
