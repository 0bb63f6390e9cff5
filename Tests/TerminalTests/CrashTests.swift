import Glibc
import Screen
import Terminal
import Testing

/// A child process dies with the terminal open, and the parent checks the terminal's state.
extension TerminalTests {
  static func openAndDraw(on path: String) throws -> Terminal {
    let near = open(path, O_RDWR | O_NOCTTY)
    let environment = TerminalEnvironment(type: "xterm-256color", locale: "C.UTF-8")
    let terminal = try Terminal.open(
      TerminalOptions(environment: environment, input: near, output: near))
    terminal.show(Canvas(size: terminal.size))
    return terminal
  }

  private func expectGivenBack(_ before: [UInt32]) {
    let output = far.output()
    #expect(output.contains("\u{1B}[?1049h"))
    #expect(output.contains("\u{1B}[?1049l"))
    #expect(output.contains("\u{1B}[?1000l"))
    #expect(far.modes() == before)
  }

  @Test func `a trap of Swift's gives the terminal back first`() async throws {
    let before = far.modes()
    await #expect(processExitsWith: .failure) { [path = far.path as String] in
      let terminal = try TerminalTests.openAndDraw(on: path)
      withExtendedLifetime(terminal) { precondition(terminal.size.rows == 0, "a made-up fault") }
    }
    expectGivenBack(before)
  }

  @Test func `a second Ctrl-C ends a program that does not answer the first`() async throws {
    let before = far.modes()
    await #expect(processExitsWith: .signal(SIGINT)) { [path = far.path as String] in
      // Shells start background jobs with SIGINT ignored, which the terminal respects.
      signal(SIGINT, SIG_DFL)
      let terminal = try TerminalTests.openAndDraw(on: path)
      withExtendedLifetime(terminal) {
        // Signals the process, since this thread may block signals.
        for _ in 0..<2400 {
          kill(getpid(), SIGINT)
          usleep(50_000)
        }
      }
    }
    expectGivenBack(before)
  }
}
