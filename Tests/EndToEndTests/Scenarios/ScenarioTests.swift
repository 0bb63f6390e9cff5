import Testing

@Suite("Scenarios")
struct ScenarioTests {
  @Test(arguments: Scenario.all)
  func turnOutAsWritten(_ scenario: Scenario) async throws {
    let questions = try scenario.expected().questions
    #expect(questions.count > 1, "\(scenario.name) is looked at only once")
    let store = try await ScenarioStore(of: scenario)
    for question in questions {
      let json = try await store.run(question.arguments + ["--format", "json"]).json
      #expect(json.shortcomings(of: question.expected) == [], "\(scenario.name): \(question.name)")
    }
    let table = try await store.run(try #require(questions.last).arguments)
    #expect(!table.output.isEmpty, "\(table.command)")
  }
}
