import Glibc
import Testing

/// The terminal must be restored before the message.
@Suite("A crash of the dashboard", .enabled(if: Tmux.isThere, "tmux is not installed"))
struct DashboardCrashTests {
  @Test func saysOneSentence() async throws {
    var subtop = try await SmallStore.copy()
    subtop.variables = ["SWIFT_BACKTRACE": "enable=yes,color=no,registers=all"]
    let visit = try await Visit(subtop, ["--at", World.now])
    try await visit.tmux.wait(for: "Subscribers in")
    kill(try await visit.tmux.running(), SIGSEGV)
    try await visit.isOver(128 + Int(SIGSEGV))
    let screen = try await visit.tmux.screen()
    #expect(screen.contains("ended by a fault of its own"))
    #expect(!screen.contains("rip") && !screen.contains("Thread 0") && !screen.contains("Press space"))
  }
}
