import Glibc
import TestSupport
import Testing

@Suite("Large imports") struct LargeImportTests {
  /// More than the import buffers from a pipe.
  private static let many = 3000

  private static func answers(_ count: Int = many) -> String {
    (1...count).map { AnswerText(original: "\($0)").text + "\n" }.joined()
  }

  enum Way: String, CaseIterable, CustomTestStringConvertible {
    case file, input, pipe
    var testDescription: String { rawValue }
  }

  private func run(_ subtop: Subtop, _ way: Way, _ kind: String, _ text: String) async throws -> Outcome {
    let file = try subtop.file("import", text)
    switch way {
    case .file: return try await subtop.run("import", kind, file)
    case .input: return try await subtop.run(["import", kind, "-"], input: file)
    case .pipe:
      let pipe = subtop.home / "pipe"
      #expect(mkfifo(pipe, 0o600) == 0)
      let child = try subtop.start(["import", kind, pipe])
      let feeder = try Child(Program(path: "/bin/sh"), ["-c", "cat '\(file)' > '\(pipe)'"])
      let outcome = try await child.outcome()
      _ = try await feeder.ending()
      return outcome
    }
  }

  @Test(arguments: Way.allCases)
  func comeFromAnywhere(_ way: Way) async throws {
    let subtop = try Subtop()
    let outcome = try await run(subtop, way, "responses", Self.answers())
    #expect(outcome.ending == .code(0), "\(outcome.errors)")
    #expect(outcome.errors.contains("imported 3,000 answers, 3,000 with changes: 3,000 new transactions"))
    let status = try await subtop.run("status", "--check", "--format", "json").json
    #expect(status["transactions"]?.integer == 3000 && status["integrity"]?.text == "ok")
    let left = File.names(in: subtop.home.path).filter { $0.hasPrefix(".") }
    #expect(left == [], "what was kept of the pipe is gone")
  }

  private static func notifications(_ count: Int) -> String {
    (1...count).map {
      NotificationText(original: "\($0)", purchased: 1_748_000_000_000 - $0 * 60_000).text + "\n"
    }.joined()
  }

  /// The file's notifications are in descending order of their dates.
  @Test(arguments: [Way.file, .pipe])
  func ofNotificationsComeFromAnywhere(_ way: Way) async throws {
    var subtop = try Subtop()
    subtop.secret = "TOPSECRET"
    let outcome = try await run(subtop, way, "notifications", Self.notifications(1200))
    #expect(outcome.ending == .code(0), "\(outcome.errors)")
    #expect(
      outcome.errors.contains("imported 1,200 notifications, 1,200 of them new: 1,200 new transactions"))
    let status = try await subtop.run("status", "--check", "--format", "json").json
    #expect(status["transactions"]?.integer == 1200 && status["integrity"]?.text == "ok")
    let bad = NotificationText(password: "\"wrong\"", original: "7777").text + "\n"
    let before = try StoreTables(subtop.store)
    let refused = try await run(subtop, .file, "notifications", Self.notifications(1300) + bad)
    #expect(refused.ending == .code(65))
    #expect(refused.errors.contains("/import, line 1301: its password is not the shared secret of"))
    #expect(try StoreTables(subtop.store) == before)
  }

  @Test(.blocking, arguments: [SIGINT, SIGTERM])
  func stopOnASignal(_ signal: Int32) async throws {
    let subtop = try Subtop()
    _ = try await subtop.run("import", "responses", try subtop.file("first", AnswerText(original: "0").text))
    let before = try StoreTables(subtop.store)
    let file = try subtop.file("many", Self.answers(20_000))
    let child = try subtop.start(["import", "responses", file])
    var log = stat()
    Self.watch(child) { stat(subtop.store + "-wal", &log) == 0 && log.st_size > 100_000 }
    try #require(log.st_size > 100_000, "something is written, and not committed")
    kill(child.pid, signal)
    #expect(try await child.ending() == .signal(signal))
    #expect(child.errors.contains("interrupted; run it again"))
    #expect(try StoreTables(subtop.store) == before)
  }

  /// SIGINT keeps the committed batches of ids, and repeating the import adds the rest.
  @Test(.blocking) func keepCommittedBatchesWhenInterrupted() async throws {
    let (subtop, count) = (try Subtop(), 30_000)
    let ids = (1...count).map { "{\"transaction_id\":\"\($0)\"}\n" }.joined()
    let file = try subtop.file("many", ids)
    let store = StoreFile(path: subtop.store)
    let child = try subtop.start(["import", "ids", file])
    Self.watch(child) { (try? store.number("SELECT count(*) FROM receipts")) ?? 0 > 0 }
    kill(child.pid, SIGINT)
    #expect(try await child.ending() == .signal(SIGINT), "\(child.errors)")
    let kept = try store.number("SELECT count(*) FROM receipts")
    #expect(kept > 0 && kept < count && kept.isMultiple(of: 500))
    #expect(child.errors.contains("interrupted; run it again"), "\(child.errors)")
    let again = try await subtop.run("import", "ids", file, code: 0)
    #expect(again.errors.replacing(",", with: "").contains("\(Int64(count) - kept) of them new"))
  }

  /// Polls on a blocked thread: if it suspended, the import could end before it resumes.
  private static func watch(_ child: Child, until isSo: () -> Bool) {
    while !isSo(), !child.hasEnded { usleep(5000) }
  }
}
