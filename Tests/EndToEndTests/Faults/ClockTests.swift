import FakeAppStore
import Glibc
import Testing

@Suite("Clocks that are set", .enabled(if: FakedClock.isThere, "there is no C compiler"))
struct ClockTests {
  private let life: Killing

  init() async throws { life = try await Killing(ObservedAppStore { $0.latency = 20 }, receipts: 80) }

  private func sweep(_ selection: String, days: Int, ending: Ending = .code(0)) async throws -> JSON {
    let arguments = ["sweep", selection, "--format", "json"] + life.appStore.options
    let child = try FakedClock.start(life.subtop, arguments, ahead: days)
    #expect(try await child.ending() == ending, "\(child.errors)")
    return try JSON(Array(child.output.utf8))
  }

  /// Due dates set by a clock in the future must not remain when it is set back.
  @Test func backAfterASweep() async throws {
    #expect(try await sweep("--due", days: 3650)["validated"]?.integer == 80)
    #expect(try await sweep("--due", days: 0)["picked"]?.integer == 80, "due again")
    #expect(try await sweep("--due", days: 0)["picked"]?.integer == 0, "and only once")
    try await life.isSound("after the clock was set back")
  }

  @Test func backWhileReceiptsAreHeld() async throws {
    let slow = try await ObservedAppStore.holding()
    let held = try FakedClock.start(life.subtop, ["sweep", "--all"] + slow.options, ahead: 300)
    try await soon("receipts are held: \(held.errors)") {
      try life.store.lastLeaseEnd() != nil || held.hasEnded ? true : nil
    }
    kill(held.pid, SIGKILL)
    #expect(try await held.ending() == .signal(SIGKILL))
    #expect(try life.store.lastLeaseEnd() != nil)
    #expect(try await sweep("--all", days: 0)["picked"]?.integer == 80)
    #expect(try life.store.lastLeaseEnd() == nil)
    try await life.isSound("after leases of the future")
  }
}
