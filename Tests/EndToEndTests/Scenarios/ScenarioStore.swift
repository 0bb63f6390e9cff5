import Testing

/// In which way a scenario's answers reach the store; none may change a figure.
enum Arrangement: String, CaseIterable, Sendable {
  /// The catalogue, then all answers in one file, oldest first.
  case together
  /// All answers in one file, newest first, and the catalogue after them.
  case newestFirst
  /// Each answer in an import of its own, and all of them once more.
  case oneByOneAndAgain
}

/// A fresh store that holds a scenario.
struct ScenarioStore {
  let subtop: Subtop
  private let configuration: [String]

  init(of scenario: Scenario, arranged arrangement: Arrangement) async throws {
    var subtop = try Subtop()
    subtop.secret = ScenarioStore.secret
    self.subtop = subtop
    // A story has no hour between two sweeps.
    let settings = try scenario.path(of: "config.toml").map { try File.text($0) } ?? ""
    let config = try subtop.file("config.toml", settings + "\n[sweep]\nbelieve_after = \"0s\"\n")
    configuration = ["--config", config]
    let catalog = try #require(scenario.path(of: "catalog.csv"), "\(scenario.name) has no catalogue")
    if arrangement != .newestFirst { try await run("import", "catalog", catalog) }
    if let receipts = scenario.path(of: "receipts.jsonl") { try await run("import", "receipts", receipts) }
    let answers = try scenario.lines(of: "answers.jsonl")
    if !answers.isEmpty { try await take(answers, of: "responses", arranged: arrangement) }
    try await sweep(scenario.lines(of: "sweep.jsonl"))
    let notifications = try scenario.lines(of: "notifications.jsonl")
    if !notifications.isEmpty { try await take(notifications, of: "notifications", arranged: arrangement) }
    if arrangement == .newestFirst { try await run("import", "catalog", catalog) }
  }

  /// What `password` is in a scenario's notifications.
  static let secret = "0123456789abcdef0123456789abcdef"

  private func take(_ lines: [String], of kind: String, arranged arrangement: Arrangement) async throws {
    if arrangement == .oneByOneAndAgain {
      for (index, line) in lines.enumerated() {
        try await run("import", kind, file("\(kind)-\(index)", [line]))
      }
    }
    try await run("import", kind, file(kind, arrangement == .newestFirst ? lines.reversed() : lines))
  }

  private func file(_ name: String, _ lines: [String]) throws -> String {
    try subtop.file("\(name).jsonl", lines.map { $0 + "\n" }.joined())
  }

  /// One sweep of every receipt an answer, which a server on loopback gives to whoever asks.
  private func sweep(_ answers: [String]) async throws {
    for answer in answers {
      let server = try AnsweringServer(answer)
      defer { server.close() }
      let summary = try await run(
        "sweep", "--all", "--production-url", server.url, "--sandbox-url", server.url, "--format", "json")
      #expect(try summary.json["picked"] == .integer(1), "\(summary.output)")
    }
  }

  /// Runs the program, which must succeed.
  @discardableResult
  func run(_ arguments: String...) async throws -> Outcome { try await run(arguments) }

  @discardableResult
  func run(_ arguments: [String]) async throws -> Outcome {
    let outcome = try await subtop.run(arguments + configuration)
    try #require(outcome.ending == .code(0), "\(outcome.command): \(outcome.ending), \(outcome.errors)")
    return outcome
  }
}
