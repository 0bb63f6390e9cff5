import Subscriptions
import Testing

@Suite("Figures") struct FiguresTests {
  @Test(arguments: [Panel.billingRetry, .upgrades, .events])
  func limitsRowsAndNothingElse(_ panel: Panel) async throws {
    let world = try await World.today.value
    let arguments = ["report", panel.rawValue, "--format", "json", "--limit"]
    let all = try await world.subtop.run(arguments + ["1000000"]).json
    let none = try await world.subtop.run(arguments + ["0"]).json
    #expect(try #require(all["data.rows"]?.list.count) > 3)
    #expect(none["data.rows"]?.list == [])
    let differences = none["data"]?.differences(from: all["data"] ?? .null)
    #expect(differences?.allSatisfy { $0.hasPrefix("rows") } == true)
  }
}
