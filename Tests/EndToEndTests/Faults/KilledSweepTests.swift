import FakeAppStore
import Glibc
import Subscriptions
import Testing

/// Leases of a running sweep are respected and reported; `ClaimTests` and `KillTests` cover killed sweeps.
@Suite("Killed sweeps") struct KilledSweepTests {
  private static let receipts = 40

  @Test func skipsReceiptsHeldByARunningSweep() async throws {
    let life = try await Killing(.holding(), receipts: Self.receipts)
    let sweep = try life.start("--all")
    defer { kill(sweep.pid, SIGKILL) }
    try await soon("receipts are held: \(sweep.errors)") {
      try life.store.number("SELECT count(*) FROM leases") == Self.receipts || sweep.hasEnded ? true : nil
    }
    let next = try await life.subtop.run(
      ["sweep", "--all", "--format", "json"] + life.appStore.options, code: 75)
    #expect(next.errors.contains("40 receipts are being checked by another sweep"), "\(next.errors)")
    #expect(try next.json["picked"]?.integer == 0 && next.json["held"]?.integer == Self.receipts)
    let last = try await life.subtop.run("sweeps", "--limit", "1", "--format", "json").json.list.first
    #expect(last?["stopped"]?.text == nil)
  }
}
