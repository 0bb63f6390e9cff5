import Subscriptions
import TestSupport
import Testing

@Suite("Real answers", .enabled(if: Corpus.isPresent, "../shared/corpus is not beside the repository"))
struct CorpusImportTests {
  @Test func areIngestedOrRefusedWithASentence() async throws {
    let subtop = try Subtop()
    let files = try Corpus.files(kind: "a").enumerated().map { index, name in
      let file = subtop.home / "answer\(index).json"
      try File.write(try #require(Corpus.bytes(of: name)), to: file)
      return file
    }
    try await subtop.run(["import", "responses"] + files, code: 65, says: [".json, line "])
    #expect(!File.exists(subtop.store))
    let outcome = try await subtop.run(["import", "responses", "--skip-invalid"] + files, code: 0)
    #expect(outcome.errors.contains("imported 87 answers"), "\(outcome.errors.suffix(300))")
    let status = try await subtop.run("status", "--check", "--format", "json").json
    #expect(status["integrity"]?.text == "ok" && status["transactions"]?.integer ?? 0 > 100)
    for panel in [Panel.overview, .events, .churn] {
      let report = try await subtop.run("report", panel.rawValue, "--environment", "all", "--window", "9999d")
      #expect(report.ending == .code(0), "\(panel): \(report.errors)")
    }
  }
}
