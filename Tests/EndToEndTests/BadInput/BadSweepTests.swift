import FakeAppStore
import TestSupport
import Testing

/// A failing sweep must not change stored data.
@Suite("Sweeps in trouble")
struct BadSweepTests {
  private static let untouched = StoreTables.sweeps

  @Test func aRefusedSecretStopsTheSweep() async throws {
    let world = try await World.shared.value
    var subtop = try await SmallStore.copy()
    subtop.secret = "wrong-TOPSECRET"
    let before = try StoreTables(subtop.store, leavingOut: Self.untouched)
    let outcome = try await subtop.run(
      ["sweep", "--all", "--format", "json"] + world.appStore.options, code: 78)
    #expect(outcome.errors.contains("Apple refused the shared secret of com.example.lumen (21004)"))
    let summary = try outcome.json
    #expect(summary["stopped"]?.text == "secret_refused")
    #expect(Shape.sweep.complaints(about: summary) == [])
    #expect(try StoreTables(subtop.store, leavingOut: Self.untouched) == before)
    let log = (try? File.text(subtop.log)) ?? ""
    #expect(!(outcome.output + outcome.errors + log).contains("TOPSECRET"))
  }

  @Test(arguments: [["--user", "nobody"], ["--receipt", "99999"]])
  func reportsAMissingReceipt(_ choice: [String]) async throws {
    let subtop = try await SmallStore.copy()
    try await subtop.run(["sweep"] + choice, code: 66, says: ["has no receipt"])
  }

  // A 503 comes with Retry-After here, so a sweep would wait for a minute.
  @Test(.tags(.long), arguments: ["21005", "500", "reset"])
  func failuresAtAppleAreRetriedLater(_ fault: String) async throws {
    let subtop = try await SmallStore.copy()
    let bookkeeping = Self.untouched.union(["receipts"])
    let before = try StoreTables(subtop.store, leavingOut: bookkeeping)
    let appStore = try await FakeAppStoreChild([
      "--start", World.now, "--clock-speed", "0", "--fault", "\(fault)=1",
    ])
    let outcome = try await subtop.run(["sweep", "--all", "--format", "json"] + appStore.options)
    let summary = try outcome.json
    #expect(outcome.ending == .code(75), "\(outcome.errors)")
    #expect(outcome.errors.contains(" postponed"))
    #expect(
      summary["stopped"]?.text == "unavailable", "an App Store that only fails is not asked about everybody")
    let kept = try await subtop.run("sweeps", "--limit", "1", "--format", "json").json.list.first
    for key in ["http", "stopped_apps", "last_transport_error"] {
      #expect(kept?[key] == summary[key], "\(key) is stored as it was printed")
    }
    let left = ["retry_later", "given_back"].reduce(0) { $0 + (summary[$1]?.integer ?? 0) }
    #expect(left == 40 && summary["validated"]?.integer == 0)
    #expect(try StoreTables(subtop.store, leavingOut: bookkeeping) == before)
    let due = try await subtop.run("status", "--format", "json", "--at", "2100-01-01").json
    #expect(due["due_now"]?.integer == 40, "all come due again")
  }

  @Test func secretsAndReceiptsAreNeverPrinted() async throws {
    let world = try await World.shared.value
    var subtop = try Subtop()
    subtop.secret = FakeStore.defaultSharedSecret
    let receipts = try subtop.file("receipts", try world.receipts(10))
    let said =
      [
        try await subtop.run("import", "receipts", receipts),
        try await subtop.run(["sweep", "--all"] + world.appStore.options),
        try await subtop.run("status"), try await subtop.run("report", "events"),
      ].map { $0.output + $0.errors }.joined() + ((try? File.text(subtop.log)) ?? "")
    #expect(!said.contains(FakeStore.defaultSharedSecret))
    let receipt = try #require(try JSON(Array(world.receipts(1).utf8))["receipt-data"]?.text)
    #expect(!said.contains(receipt.prefix(24)))
    for file in ["", "-wal"].map({ subtop.store + $0 }) where File.exists(file) {
      #expect(try !File.contains(FakeStore.defaultSharedSecret, in: file), "the store never holds the secret")
    }
  }
}
