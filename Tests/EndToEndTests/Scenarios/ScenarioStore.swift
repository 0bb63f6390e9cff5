import Testing

/// Store with a scenario's input; `OrderTests` verify that the order of answers does not matter.
struct ScenarioStore {
  let subtop: Subtop
  private let configuration: [String]

  init(of scenario: Scenario) async throws {
    var subtop = try Subtop()
    subtop.secret = ScenarioStore.secret
    self.subtop = subtop
    // The sweeps of a scenario follow each other immediately.
    let settings = try scenario.path(of: "config.toml").map { try File.text($0) } ?? ""
    let config = try subtop.file("config.toml", settings + "\n[sweep]\nbelieve_after = \"0s\"\n")
    configuration = ["--config", config]
    let catalog = try #require(scenario.path(of: "catalog.csv"), "\(scenario.name) has no catalogue")
    try await run("import", "catalog", catalog)
    if let receipts = scenario.path(of: "receipts.jsonl") { try await run("import", "receipts", receipts) }
    try await take(scenario.lines(of: "answers.jsonl"), of: "responses")
    try await sweep(scenario.lines(of: "sweep.jsonl"))
    try await take(scenario.lines(of: "notifications.jsonl"), of: "notifications")
  }

  static let secret = "0123456789abcdef0123456789abcdef"

  private func take(_ lines: [String], of kind: String) async throws {
    guard !lines.isEmpty else { return }
    let text = lines.map { $0 + "\n" }.joined()
    try await run("import", kind, subtop.file("\(kind).jsonl", text))
  }

  private func sweep(_ answers: [String]) async throws {
    for answer in answers {
      let server = try AnsweringServer(answer)
      defer { server.close() }
      let summary = try await run(
        "sweep", "--all", "--production-url", server.url, "--sandbox-url", server.url, "--format", "json")
      #expect(try summary.json["picked"] == .integer(1), "\(summary.output)")
    }
  }

  @discardableResult
  func run(_ arguments: String...) async throws -> Outcome { try await run(arguments) }

  @discardableResult
  func run(_ arguments: [String]) async throws -> Outcome {
    let outcome = try await subtop.run(arguments + configuration)
    try #require(outcome.ending == .code(0), "\(outcome.command): \(outcome.ending), \(outcome.errors)")
    return outcome
  }
}
