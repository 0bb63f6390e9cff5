import FakeAppStore
import Subscriptions
import Testing

@Suite("The chain from receipts to figures")
struct HeadlessChainTests {
  @Test func importsEveryReceiptAndPrice() async throws {
    let world = try await World.shared.value
    for outcome in world.imports {
      #expect(outcome.ending == .code(0), "\(outcome.command): \(outcome.errors)")
      #expect(outcome.output.isEmpty, "an import has no data for standard output")
    }
    #expect(world.imports[0].errors.contains("imported 1,000 receipts, 1,000 of them new"))
    #expect(world.imports[1].errors.contains("imported \(FakeCatalog.entries.count) prices"))
  }

  @Test func validatesOrReroutesEveryReceipt() async throws {
    let world = try await World.shared.value
    let summary = try world.sweeps[0].json
    #expect(world.sweeps[0].ending == .code(0), "\(world.sweeps[0].errors)")
    let gone = try #require(summary["rejected"]?.integer)
    let rerouted = try #require(summary["rerouted"]?.integer)
    #expect(gone > 0 && rerouted > 0, "the population holds deleted accounts and sandbox receipts")
    for (key, count) in [
      ("picked", world.subscribers), ("validated", world.subscribers - gone),
      ("changed", world.subscribers - gone), ("unchanged", 0), ("retry_later", 0), ("transport_errors", 0),
      // 21010 is accepted only when repeated.
      ("retried", gone), ("http.200", world.subscribers + rerouted + gone), ("by_status.21007", rerouted),
      ("by_status.21010", 2 * gone),
    ] {
      #expect(summary[key]?.integer == count, "\(key)")
    }
    let statuses = (summary["by_status"]?.object ?? [:]).values.compactMap(\.integer)
    #expect(statuses.reduce(0, +) == world.subscribers + rerouted + gone)
    #expect(summary["stopped"] == .null)
  }

  @Test func findsNothingNewTheSecondTime() async throws {
    let world = try await World.shared.value
    let gone = try world.sweeps[0].json["rejected"]?.integer ?? 0
    let summary = try world.sweeps[1].json
    #expect(world.sweeps[1].ending == .code(0), "\(world.sweeps[1].errors)")
    #expect(
      summary["picked"]?.integer == world.subscribers - gone, "deleted accounts are not requested again")
    #expect(summary["validated"] == summary["picked"] && summary["unchanged"] == summary["picked"])
    for key in ["changed", "new_transactions", "rejected", "retry_later", "rerouted", "transport_errors"] {
      #expect(summary[key]?.integer == 0, "\(key)")
    }
  }

  @Test func keepsAnIntactStore() async throws {
    let world = try await World.shared.value
    let first = try world.sweeps[0].json
    let outcome = try await world.subtop.run("status", "--check", "--format", "json")
    let status = try outcome.json
    #expect(outcome.ending == .code(0), "\(outcome.errors)")
    #expect(status["receipts"]?.integer == world.subscribers)
    #expect(status["transactions"] == first["new_transactions"] && status["dead"] == first["rejected"])
    #expect(status["lines"]?.integer ?? 0 > world.subscribers / 2)
    #expect(status["integrity"]?.text == "ok")
    #expect(status["last_sweep.changed"]?.integer == 0)
    #expect(File.mode(world.subtop.store) == 0o600, "the store holds personal data")
  }
}
