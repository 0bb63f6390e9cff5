import Testing

/// Cases made by hand, each judged by figures that were derived by hand from METRICS, through the real program.
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

  @Test func coverWhatTheyShould() throws {
    let names = Set(Scenario.all.map(\.name))
    #expect(Self.promised.subtracting(names) == [], "a folder of data/scenarios is missing")
    let readme = try File.text("\(Scenario.root)/README.md")
    #expect(names.filter { !readme.contains("| `\($0)` |") } == [], "a folder is not described in the README")
    for scenario in Scenario.all {
      #expect(
        scenario.path(of: "answers.jsonl") ?? scenario.path(of: "sweep.jsonl") != nil, "\(scenario.name)")
    }
  }

  private static let promised: Set<String> = [
    "trial-to-paid", "trial-cancelled-then-charged", "grace-saved", "retry-saved-on-day-30",
    "lapse-of-61-days-then-back", "upgrade-in-mid-period", "upgrade-during-renewal", "upgrade-of-a-trial",
    "crossgrade", "downgrade-at-renewal", "refund-of-an-older-period", "refund-of-the-current-period",
    "refund-after-expiry", "family-member-revoked", "duplicate-after-a-restore",
    "renewal-dated-in-the-future",
    "sandbox-among-production", "overdue", "price-consent-pending", "offer-code-and-promotional-offers",
    "price-rise-with-a-dated-catalogue", "two-groups-in-one-receipt", "consumables-only", "ios-6-style-21006",
    "account-gone",
  ]
}
