import FakeAppStore
import Subscriptions
import TestSupport
import Testing

@Suite("Scenarios", .blocking) struct ScenarioTests {
  @Test(.tags(.long), arguments: Scenario.all)
  func turnOutAsWritten(_ scenario: Scenario) async throws {
    let questions = try scenario.expected().questions
    #expect(questions.count > 1, "\(scenario.name) is looked at only once")
    let store = try await ScenarioStore(of: scenario)
    for question in questions {
      let json = try await store.run(question.arguments + ["--format", "json"]).json
      #expect(json.shortcomings(of: question.expected) == [], "\(scenario.name): \(question.name)")
    }
    // The model does not read configurations, which contain the Small Business Program.
    guard scenario.path(of: "config.toml") == nil else { return }
    #expect(try await disagreements(scenario, store.subtop) == [], "\(scenario.name)")
  }

  private func disagreements(_ scenario: Scenario, _ subtop: Subtop) async throws -> [String] {
    let prices = try ReferenceModel.Prices(File.text(#require(scenario.path(of: "catalog.csv"))))
    let known = try await subtop.chains(at: Int(FakeClock.realNow.rawValue))
    let observed = try #require(known.flatMap(\.observations).max())
    let population = try await ReferenceModel.Population(
      subtop.chains(at: observed), prices: prices, at: observed)
    let question = ReferenceModel.Question(instant: observed, days: 365, environment: "all")
    return try await subtop.differences(population, [question], ["overview", "movement"])
  }
}

extension JSON {
  fileprivate var observations: [Int] {
    switch self {
    case .object(let members):
      members.flatMap { key, value in
        Self.observing.contains(key) ? value.integer.map { [$0] } ?? [] : value.observations
      }
    case .list(let values): values.flatMap(\.observations)
    default: []
    }
  }

  private static let observing: Set = [
    "observed_at_ms", "first_observed_at_ms", "validated_at_ms", "last_validated_at_ms", "gone_at_ms",
  ]
}
