import Intake
import Subscriptions
import Testing

/// Reading a file in chunks of any size gives the same result as reading it at once.
@Suite("Files in pieces")
struct LineStreamTests {
  @Test(arguments: ReceiptsCases.good + ReceiptsCases.faulty)
  func receipts(_ example: FileCase) { isTheSameInPieces(ReceiptsFile.self, example.text) { "\($0)" } }

  @Test(arguments: ResponsesCases.good + ResponsesCases.refused)
  func responses(_ example: FileCase) {
    isTheSameInPieces(ResponsesFile.self, example.text) { "\($0.answer)" }
  }

  @Test(arguments: IDsFileTests.cases + HostedExportTests.cases)
  func ids(_ example: FileCase) { isTheSameInPieces(IDsFile.self, example.text) { "\($0)" } }

  private func isTheSameInPieces<Format: LineFormat>(
    _ format: Format.Type, _ text: String, _ word: (Format.Item) -> String
  ) {
    let whole = words(of: format, text, by: .max, word)
    #expect(!whole.isEmpty)
    for size in [1, 2, 3, 5, 16] {
      #expect(words(of: format, text, by: size, word) == whole, "in pieces of \(size)")
    }
  }

  private static let overlong = "it is longer than 32 MiB, more than any receipt or answer"
  private static func blank(_ size: Int) -> String {
    "only white space follows for \(size) MiB; the rest was not read"
  }
  private static let answer = #"{"status":0,"receipt":{"bundle_id":"a"}}"#

  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let text: String
    /// Expected items and errors of the receipts format; not tested if empty.
    let receipts: [String]
    let responses: [String]
  }

  private static let notAnObject =
    "it is not a JSON object with text under receipt-data, app_user_id and bundle_id"
  private static let broken = "it is not a verifyReceipt answer: it is not complete JSON"
  private static let long = LineStream<Never>.limit

  @Test(
    "Lines that would fill memory are reported and skipped",
    arguments: [
      Case(
        testDescription: "one word without end", text: String(repeating: "a", count: long + 1),
        receipts: ["1 \(overlong)"], responses: ["1 \(overlong)"]),
      Case(
        testDescription: "a long line between good ones",
        text: "\(answer)\n{\"a\":\"" + String(repeating: "b", count: long) + "\"}\n\(answer)\n",
        receipts: ["1 receipt-data is missing", "2 \(overlong)", "3 receipt-data is missing"],
        responses: ["1 read", "2 \(overlong)", "3 read"]),
      Case(
        testDescription: "a value over lines without end",
        text: "{\n" + String(repeating: "\"a\": [\n", count: long / 6),
        receipts: [], responses: ["1 \(overlong)"]),
      Case(
        testDescription: "a first line cut short, and more lines than one value may have",
        text: "{\"a\n\(answer)\n"
          + String(repeating: "{\"b\":\"" + String(repeating: "c", count: 4 << 20) + "\"}\n", count: 9),
        receipts: [], responses: ["1 \(broken)", "2 read"]),
      Case(
        testDescription: "a first line cut short, blank lines and others",
        text: "\n{\"a\n \t\r\n\n\(answer)\n\n\n\(answer)\n",
        receipts: [], responses: ["2 \(broken)", "5 read", "8 read"]),
      Case(
        testDescription: "one blank line without end",
        text: "\(answer)\n" + String(repeating: " ", count: 2 * long + (1 << 17)) + "\n\(answer)",
        receipts: ["1 receipt-data is missing", "2 \(blank(64))"], responses: ["1 read", "2 \(blank(64))"]),
    ])
  func tooLong(_ test: Case) {
    if !test.receipts.isEmpty {
      #expect(words(of: ReceiptsFile.self, test.text, by: 1 << 16) { _ in "read" } == test.receipts)
    }
    let responses = words(of: ResponsesFile.self, test.text, by: 1 << 16) { _ in "read" }
    #expect(Array(responses.prefix(test.responses.count)) == test.responses)
  }

  @Test func moreBase64ThanAReceiptIsLines() {
    let text = String(repeating: String(repeating: "MIIB", count: 1 << 18) + "\n", count: 10)
    let said = words(of: ReceiptsFile.self, text, by: 1 << 16) { _ in "read" }
    #expect(said == (1...10).map { "\($0) \(Self.notAnObject)" })
  }

  private func words<Format: LineFormat>(
    of format: Format.Type, _ text: String, by size: Int, _ word: (Format.Item) -> String
  ) -> [String] {
    var rest = Array(text.utf8)[...]
    var lines = LineStream<Never> {
      let piece = Array(rest.prefix(size))
      rest = rest.dropFirst(size)
      return piece
    }
    var words: [String] = []
    format.read(&lines) { number, content in
      switch content {
      case .item(let item): words.append("\(number) \(word(item))")
      case .bad(let reason): words.append("\(number) \(reason)")
      case .remark(let remark): words.append("\(number) \(remark)")
      }
    }
    return words
  }
}
