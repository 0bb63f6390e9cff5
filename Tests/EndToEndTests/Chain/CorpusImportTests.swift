import Subscriptions
import TestSupport
import Testing

/// Real answers, through the program.
@Suite("Real answers", .enabled(if: Corpus.isPresent, "../shared/corpus is not beside the repository"))
struct CorpusImportTests {
  @Test func areIngestedOrRefusedWithASentence() async throws {
    let subtop = try Subtop()
    var (ingested, refused, files) = (0, 0, [String]())
    for (index, name) in Corpus.files(kind: "a").enumerated() {
      let file = subtop.home / "answer\(index).json"
      try File.write(try #require(Corpus.bytes(of: name)), to: file)
      files.append(file)
      // These are of many apps, and share ids that their publishers made up: each has a store of its own.
      let outcome = try await subtop.run("import", "responses", file, "--store", subtop.home / "own.sqlite")
      switch outcome.ending {
      case .code(0): ingested += 1
      case .code(65):
        refused += 1
        #expect(outcome.errors.contains("answer\(index).json, line "), "\(name): \(outcome.errors)")
      default: Issue.record("\(name): \(outcome.ending), \(outcome.errors)")
      }
      for suffix in ["", "-wal", "-shm"] { File.remove(subtop.home / "own.sqlite\(suffix)") }
    }
    print("import responses: \(ingested) real answers ingested, \(refused) refused with a sentence")
    #expect(ingested > refused)
    try await canAllBeAskedAbout(subtop, files)
  }

  private func canAllBeAskedAbout(_ subtop: Subtop, _ files: [String]) async throws {
    let outcome = try await subtop.run(["import", "responses", "--skip-invalid"] + files)
    #expect(outcome.ending == .code(0), "\(outcome.errors)")
    let status = try await subtop.run("status", "--check", "--format", "json").json
    #expect(status["integrity"]?.text == "ok")
    for panel in Panel.allCases {
      let report = try await subtop.run("report", panel.rawValue, "--environment", "all", "--window", "9999d")
      #expect(report.ending == .code(0), "\(panel): \(report.errors)")
    }
  }
}
