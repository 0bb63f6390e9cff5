import Glibc
import Testing

@Suite("Outputs without room") struct FullOutputTests {
  /// One command for each kind of output: ArgumentParser, topics, text, tables, JSON and CSV.
  @Test(arguments: [
    ("subtop", "--help"), ("subtop", "help import"), ("subtop", "manual"), ("subtop", "report overview"),
    ("subtop", "status --format json"), ("subtop", "report overview --format csv"),
    // An incomplete population must not look complete to `import`.
    ("fake-app-store", "receipts --subscribers 20"), ("fake-app-store", "catalog"),
  ])
  func aFullDiskIsAFailure(_ program: String, _ arguments: String) async throws {
    let subtop = try await SmallStore.copy()
    try await subtop.shell(
      "exec \"$0\" \(arguments) > /dev/full", program, code: 1,
      says: ["cannot write to standard output: No space left on device"])
  }

  /// A file size limit, as set by `ulimit -f`, must not kill the program or change the store.
  @Test(arguments: ["answers", "-"])
  func aFileSizeLimitIsAStoreError(_ file: String) async throws {
    let subtop = try Subtop()
    _ = try await subtop.run("import", "responses", try subtop.file("first", AnswerText(original: "0").text))
    let before = try StoreTables(subtop.store)
    let answers = (1...3000).map { AnswerText(original: "\($0)").text + "\n" }.joined()
    _ = try subtop.file("answers", answers)
    let importing = "ulimit -f 1000; exec \"$0\" import responses \(file) < fed"
    let outcome = try await subtop.shell(
      "cd \"$TMPDIR\" && mkfifo fed && { cat answers > fed & \(importing); }")
    #expect(outcome.ending == .code(74) && outcome.errors.hasPrefix("subtop: cannot "), "\(outcome.errors)")
    #expect(try StoreTables(subtop.store) == before)
    let status = try await subtop.run("status", "--check", "--format", "json").json
    #expect(status["integrity"]?.text == "ok")
  }
}
