import Intake
import Subscriptions
import Testing

struct ReceiptsCase: CustomTestStringConvertible, Sendable {
  var name: String
  var text: String
  var items: [String] = []
  var bad: [String] = []
  var testDescription: String { name }

  func check() {
    let reading = ReceiptsFile.read(Array(text.utf8))
    let read = reading.items.map {
      "\($0.data?.base64 ?? "-") \($0.appUserID?.rawValue ?? "-") \($0.bundleID?.rawValue ?? "-")"
    }
    #expect(read == items)
    #expect(reading.badLines.map(\.description) == bad)
  }
}

private let notAnObject = "it is not a JSON object with text under receipt-data, app_user_id and bundle_id"
private let neither = "it is neither JSON Lines nor CSV nor one base64 receipt"

extension ReceiptsCase {
  static let good = [
    ReceiptsCase(
      name: "one line with everything",
      text: #"{"receipt-data":"MIIB","app_user_id":"u1","bundle_id":"com.example.app"}"#,
      items: ["MIIB u1 com.example.app"]),
    ReceiptsCase(
      name: "the receipt alone, and a key nobody knows", text: #"{"receipt-data":"MIIB","password":"x"}"#,
      items: ["MIIB - -"]),
    ReceiptsCase(
      name: "empty ids are none", text: #"{"receipt-data":"MIIB","app_user_id":"","bundle_id":""}"#,
      items: ["MIIB - -"]),
    ReceiptsCase(
      name: "null ids are none", text: #"{"receipt-data":"MIIB","app_user_id":null,"bundle_id":null}"#,
      items: ["MIIB - -"]),
    ReceiptsCase(
      name: "ids beyond ASCII, and escaped ones",
      text: #"{"receipt-data":"MIIB","app_user_id":"żółw \u4e2d"}"#,
      items: ["MIIB żółw 中 -"]),
    ReceiptsCase(
      name: "a user that is a number beyond 64 bits",
      text: #"{"receipt-data":"MIIB","app_user_id":18446744073709551616}"#,
      items: ["MIIB 18446744073709551616 -"]),
    ReceiptsCase(
      name: "several lines, blank ones between, no line break at the end",
      text: "{\"receipt-data\":\"MIIB\"}\n\n  \n{\"receipt-data\":\"MIIC\"}", items: ["MIIB - -", "MIIC - -"]),
    ReceiptsCase(
      name: "lines that end as on Windows",
      text: "{\"receipt-data\":\"MIIB\"}\r\n\r\n{\"receipt-data\":\"MIIC\"}\r\n",
      items: ["MIIB - -", "MIIC - -"]),
    ReceiptsCase(
      name: "a byte order mark", text: "\u{FEFF}{\"receipt-data\":\"MIIB\"}\n", items: ["MIIB - -"]),
    ReceiptsCase(
      name: "base64 with escaped slashes and line breaks",
      text: #"{"receipt-data":"MI\/B\r\nAA=="}"#, items: ["MI/BAA== - -"]),
    ReceiptsCase(
      name: "base64url without padding", text: #"{"receipt-data":"MI-_AA"}"#, items: ["MI+/AA== - -"]),
    ReceiptsCase(name: "bare base64", text: "MIIBAQ==", items: ["MIIBAQ== - -"]),
    ReceiptsCase(
      name: "bare base64 over several lines, with blank ones", text: "\n\nMIIB\r\nAQID\r\n\r\nBA==\r\n",
      items: ["MIIBAQIDBA== - -"]),
    ReceiptsCase(
      name: "bare base64 of the iOS 6 style, text in braces", text: "ewoJInNpZ25h\n",
      items: ["ewoJInNpZ25h - -"]),
  ]

  static let faulty = [
    ReceiptsCase(name: "nothing", text: "", bad: ["line 1: the file is empty"]),
    ReceiptsCase(name: "blank lines alone", text: "\n \r\n\t\n", bad: ["line 1: the file is empty"]),
    ReceiptsCase(name: "words", text: "this is not JSON\n", bad: ["line 1: \(neither)"]),
    ReceiptsCase(name: "a JSON array", text: #"[{"receipt-data":"MIIB"}]"#, bad: ["line 1: \(notAnObject)"]),
    ReceiptsCase(name: "a line cut short", text: #"{"receipt-data":"MII"#, bad: ["line 1: \(notAnObject)"]),
    ReceiptsCase(
      name: "no receipt", text: #"{"app_user_id":"u1"}"#, bad: ["line 1: receipt-data is missing"]),
    ReceiptsCase(
      name: "a receipt that is not base64", text: #"{"receipt-data":"no base64!"}"#,
      bad: ["line 1: receipt-data is not base64"]),
    ReceiptsCase(
      name: "a receipt that is a number", text: #"{"receipt-data":17}"#, bad: ["line 1: \(notAnObject)"]),
    ReceiptsCase(
      name: "bad lines among good ones keep their numbers",
      text: "{\"receipt-data\":\"MIIB\"}\n\n{}\nMIIB\n{\"receipt-data\":\"MIIC\"}\n",
      items: ["MIIB - -", "MIIC - -"],
      bad: ["line 3: receipt-data is missing", "line 4: \(notAnObject)"]),
    ReceiptsCase(
      name: "a first line that is words leaves the others readable",
      text: "# receipts of March\n{\"receipt-data\":\"MIIB\"}\n", items: ["MIIB - -"],
      bad: ["line 1: \(notAnObject)"]),
  ]
}

@Suite("Receipts files")
struct ReceiptsFileTests {
  @Test(arguments: ReceiptsCase.good + ReceiptsCase.faulty)
  func reads(_ example: ReceiptsCase) { example.check() }

  @Test func refusesWhatIsNotText() {
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
