import FakeAppStore
import Glibc
import Subscriptions
import Testing

/// Leases of a killed sweep are taken over at once. Those of a running sweep are respected and reported.
@Suite("Killed sweeps") struct KilledSweepTests {
  private static let receipts = 40

  private func held() async throws -> (life: Killing, sweep: Child) {
    let life = try await Killing(.holding(), receipts: Self.receipts)
    let sweep = try life.start("--all")
    try await soon("receipts are held: \(sweep.errors)") {
      try life.store.number("SELECT count(*) FROM leases") == Self.receipts || sweep.hasEnded ? true : nil
    }
    return (life, sweep)
  }

  @Test func theNextTakesOverAtOnce() async throws {
    let (life, sweep) = try await held()
    kill(sweep.pid, SIGKILL)
    #expect(try await sweep.ending() == .signal(SIGKILL))
    let before = try await last(of: life)
    #expect(
      before?["state"]?.text == "killed" && before?["finished_at_ms"]?.integer == nil, "\(before as Any)")
    let quick = try await ObservedAppStore()
    let next = try await life.subtop.run(["sweep", "--all", "--format", "json"] + quick.options, code: 0)
    #expect(try next.json["picked"]?.integer == Self.receipts && next.json["held"]?.integer == 0)
    let after = try await life.subtop.run("sweeps", "--format", "json").json.list.last
    #expect(after?["state"]?.text == "killed" && after?["stopped"]?.text == "killed", "\(after as Any)")
    let listed = try await life.subtop.run("sweeps")
    #expect(listed.output.contains("killed"), "\(listed.output)")
  }

  @Test func skipsReceiptsHeldByARunningSweep() async throws {
    let (life, sweep) = try await held()
    defer { kill(sweep.pid, SIGKILL) }
    let next = try await life.subtop.run(
      ["sweep", "--all", "--format", "json"] + life.appStore.options, code: 75)
    #expect(next.errors.contains("40 receipts are being checked by another sweep"), "\(next.errors)")
    #expect(try next.json["picked"]?.integer == 0 && next.json["held"]?.integer == Self.receipts)
    #expect(try await last(of: life)?["stopped"]?.text == nil)
  }

  private func last(of life: Killing) async throws -> JSON? {
    try await life.subtop.run("sweeps", "--limit", "1", "--format", "json").json.list.first
  }
}
