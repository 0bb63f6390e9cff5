import Testing

extension BadInput {
  fileprivate static let nothingImported = "so nothing was imported; fix them, or pass --skip-invalid"

  static let files: [BadInput] = [
    BadInput(
      "a good answer before a bad one", "import responses {f}",
      files: ["f": AnswerText(original: "77").text + "\n{}\n"], code: 65,
      says: [
        "/f, line 2: it is not a verifyReceipt answer: status is missing",
        "1 bad line, \(nothingImported)",
      ]),
    BadInput(
      "a good file before a bad one", "import responses {good} {bad}",
      files: ["good": AnswerText(original: "77").text, "bad": "[]"], code: 65,
      says: ["/bad, line 1: it is not a verifyReceipt answer", "1 bad line, \(nothingImported)"]),
    BadInput(
      "standard input that is no JSON", "import responses -", code: 65,
      says: ["standard input, line 1: the file is empty"]),
    BadInput(
      "no such file", "import receipts {home}/nothing", code: 66,
      says: ["cannot read ", "/nothing: No such file or directory"]),
    BadInput("a folder", "import receipts {home}", code: 66, says: ["cannot read ", ": Is a directory"]),
    BadInput(
      "an unknown id", "chain 4711", code: 66,
      says: ["nothing in ", " has the id 4711; import or sweep its receipt first"]),
  ]
}

@Suite("Bad files")
struct BadFileTests {
  @Test(arguments: BadInput.files)
  func areNamedAndChangeNothing(_ input: BadInput) async throws {
    let subtop = try await SmallStore.copy()
    let before = try StoreTables(subtop.store)
    #expect(try await input.run(on: subtop).output.isEmpty)
    #expect(try StoreTables(subtop.store) == before)
  }

  @Test func nameTheFirstTwentyBadLinesAndTheCount() async throws {
    let subtop = try Subtop()
    let file = try subtop.file("receipts.jsonl", String(repeating: "{}\n", count: 25))
    let outcome = try await subtop.run("import", "receipts", file, code: 65)
    let named = outcome.errors.split(separator: "\n").filter { $0.contains("receipt-data is missing") }
    #expect(named.count == 20)
    #expect(named.first?.contains("line 1:") == true && named.last?.contains("line 20:") == true)
    #expect(outcome.errors.contains("25 bad lines, so nothing was imported"))
    #expect(!File.exists(subtop.store), "a refused import makes no store")
  }

  @Test func forAnotherAppAreRefused() async throws {
    let subtop = try Subtop()
    _ = try await subtop.run("import", "responses", try subtop.file("mine", AnswerText().text))
    let before = try StoreTables(subtop.store)
    let stranger = AnswerText(bundle: "com.example.stranger", requested: 1_748_779_300_000).text
    try await subtop.run(
      "import", "responses", try subtop.file("strange", stranger), code: 65,
      says: ["bundle id com.example.stranger", "strange, line 1: ", "1 bad line, so nothing was imported"])
    #expect(try StoreTables(subtop.store) == before)
    let rest = [stranger, AnswerText(original: "2000").text, "{}"].joined(separator: "\n")
    let skipping = try await subtop.run(
      "import", "responses", try subtop.file("both", rest), "--skip-invalid", code: 0,
      says: ["imported 1 answer, 1 with changes", "line 1: ", "line 3: "])
    #expect(skipping.errors.ranges(of: "skipped 1 bad line\n").count == 2, "refused by store and reader")
  }
}
