import FakeAppStore
import TestSupport
import Testing

@Suite("Progress")
struct ProgressTests {
  @Test(.enabled(if: Tmux.isThere, "tmux is not installed")) func movesOnATerminal() async throws {
    let columns = 44
    let appStore = try await ObservedAppStore {
      $0.faults = [FaultRate(.slow, rate: 1)]
      $0.faultSettings.slowness = 400
    }
    let life = try await Killing(appStore, receipts: 600)
    let tmux = try await Tmux(life.subtop, columns: columns)
    let arguments = (["sweep", "--all", "--format", "json", "--concurrency", "2"] + life.appStore.options)
      .joined(separator: " ")
    _ = try life.subtop.file("start", "$PROGRAM \(arguments) >$HOME/summary\n")
    try await tmux.run("clear; . $HOME/start")
    let screen = try await tmux.wait("a bar that has begun") { $0.contains("█") && $0.contains("of 600") }
    // The App Store is slow until the bar was observed.
    appStore.server.setFaults([])
    let lines = screen.split(separator: "\n").map(String.init)
    #expect(lines.count(where: { $0.contains("of 600") }) == 1, "one line, which does not wrap")
    #expect(lines.allSatisfy { $0.count < columns })
    try await tmux.wait("the program ends") { _ in Processes.children(of: tmux.shell).isEmpty }
    try await tmux.run("echo \"ended $?\"")
    let after = try await tmux.wait(for: "ended 0")
    #expect(!after.contains("█") && !after.contains("of 600"), "nothing of the bar is left")
    let summary = try JSON(File.bytes(life.subtop.home / "summary"))
    #expect(
      Shape.sweep.complaints(about: summary) == [], "the data go where they were sent, and nothing else does")
  }

  /// The sweep is slow enough for more than one line; a slow machine prints more.
  @Test(.tags(.long)) func isALineEveryTenSecondsWithoutATerminal() async throws {
    let (life, begun) = (try await Killing(ObservedAppStore(), receipts: 30), ContinuousClock.now)
    let outcome = try await life.subtop.run(
      ["sweep", "--all", "--format", "json", "--rate", "2.5"] + life.appStore.options)
    let atMost = Int((ContinuousClock.now - begun) / .seconds(10))
    #expect(outcome.ending == .code(0))
    let lines = outcome.errors.split(separator: "\n")
    #expect(lines.count >= 1 && lines.count <= atMost, "\(outcome.errors)")
    #expect(lines.allSatisfy { $0.hasPrefix("sweep: ") && $0.contains(" of 30 (") })
    #expect(!outcome.errors.contains("\u{1B}") && !outcome.errors.contains("\r"))
  }
}
