import FakeAppStore
import Glibc
import Testing

@Suite("Leaving the dashboard", .serialized, .enabled(if: Tmux.isThere, "tmux is not installed"))
struct LeavingTests {
  private func open(in shell: String = "sh -i") async throws -> Visit {
    let visit = try await Visit(SmallStore.copy(), ["--at", World.now], in: shell)
    try await visit.tmux.wait(for: "Subscribers in")
    return visit
  }

  @Test(arguments: [("q", 0), ("F10", 0), ("C-c", 128 + Int(SIGINT))])
  func byKey(_ key: String, code: Int) async throws {
    let visit = try await open()
    if key != "F10" { try await visit.tmux.press(key, showing: " again to quit.") }
    try await visit.tmux.press(key)
    try await visit.isOver(code)
  }

  @Test(arguments: [SIGTERM, SIGHUP, SIGABRT])
  func bySignal(_ signal: Int32) async throws {
    let visit = try await open()
    kill(try await visit.tmux.running(), signal)
    try await visit.isOver(128 + Int(signal))
  }

  @Test(arguments: ["tmux-256color", "linux", "vt100"])
  func onATerminal(of kind: String) async throws {
    let visit = try await Visit(SmallStore.copy(), ["--at", World.now], terminal: kind)
    try await visit.tmux.wait(for: "Subscribers in")
    try await visit.tmux.press("3", showing: "Auto-renew")
    for (columns, rows) in [(60, 16), (120, 40), (80, 24)] {
      try await visit.tmux.resize(columns: columns, rows: rows)
      try await visit.tmux.wait("\(columns)x\(rows)") { screen in
        let lines = screen.split(separator: "\n", omittingEmptySubsequences: false)
        let isFramed = lines.contains { $0.count == columns && $0.hasPrefix("┌") && $0.hasSuffix("┐") }
        return isFramed && screen.contains("Auto-renew")
      }
    }
    try await visit.tmux.press("F10")
    try await visit.isOver(0)
  }

  @Test func forAWhile() async throws {
    let visit = try await open()
    let tmux = visit.tmux
    try await tmux.press("C-z", showing: "Stopped")
    #expect(try await tmux.isGivenBack())
    try await tmux.run("clear; \(Visit.modes)while; echo \"taken $?\"")
    try await tmux.wait(for: "taken 0")
    let before = try File.text(visit.subtop.home / "before")
    #expect(try File.text(visit.subtop.home / "while") == before)
    try await tmux.run("fg")
    try await tmux.wait(for: "Subscribers in")
    try await tmux.paste("qqq")
    try await tmux.wait(for: "find: qqq")
    try await tmux.press("Escape")
    try await tmux.wait("the line goes") { !$0.contains("find: ") }
    try await tmux.press("F10")
    try await visit.isOver(0)
  }

  /// Shell that restores terminal modes when a program stops, without which it could not be typed to.
  private static let shell = "bash --norc --noprofile -i"
  private static let isShellThere = Program.installed("bash") != nil

  /// SIGSTOP cannot be handled, and the shell gives no notice when it returns the terminal to the program.
  ///
  /// - Parameter isStrict: `stty tostop` stops background processes that write to the terminal.
  @Test(.enabled(if: isShellThere, "bash is not installed"), arguments: [false, true])
  func unheard(isStrict: Bool) async throws {
    let visit = try await open(in: Self.shell)
    let (tmux, program) = (visit.tmux, try await visit.tmux.running())
    kill(program, SIGSTOP)
    try await tmux.wait(for: "Stopped")
    if isStrict { try await tmux.run("stty tostop") }
    kill(program, SIGCONT)
    try await soon("the program goes on") { try Processes.state(of: program) != "T" ? true : nil }
    // In the background it must neither draw nor read input. Two seconds are a hundred timer intervals.
    try await tmux.run("clear; sleep 2; echo $((40 + 2)) is here")
    try await tmux.wait("the shell's screen") { $0.contains("42 is here") && !$0.contains("Subscribers in") }
    #expect(
      try Processes.state(of: program) != "T", "not stopped for the use of a terminal that is the shell's")
    if isStrict { try await tmux.run("stty -tostop") }
    try await tmux.run("fg")
    try await tmux.wait(for: "Subscribers in")
    try await tmux.press("3", showing: "Auto-renew")
    try await tmux.paste("qqq")
    try await tmux.wait(for: "find: qqq")
    try await tmux.press("Escape")
    try await tmux.press("F10")
    try await visit.isOver(0)
  }

  @Test(.enabled(if: isShellThere, "bash is not installed")) func behindAShell() async throws {
    let visit = try await open(in: Self.shell)
    let program = try await visit.tmux.running()
    kill(program, SIGSTOP)
    try await visit.tmux.wait(for: "Stopped")
    kill(program, SIGCONT)
    kill(program, SIGTERM)
    try await visit.tmux.wait("the program ends") { _ in Processes.children(of: visit.tmux.shell).isEmpty }
    try await visit.tmux.run("echo $((40 + 2)) is here")
    try await visit.tmux.wait(for: "42 is here")
    #expect(try await visit.tmux.isGivenBack())
  }

  @Test(arguments: [
    ("env TERM=", "TERM is not set"), ("env TERM=teletype-of-1963", "does not know TERM=teletype-of-1963"),
    ("env TERM=dumb", "cannot move its cursor"),
  ])
  func beforeItOpened(environment: String, says: String) async throws {
    let subtop = try Subtop()
    let tmux = try await Tmux(subtop, columns: 200)
    try await tmux.run(
      "stty -a >$HOME/before; \(environment) $PROGRAM; echo \"ended $?\"; stty -a >$HOME/after")
    try await tmux.wait("the sentence") { $0.contains(says) && $0.contains("ended 64") }
    try await soon("the modes are taken down") { File.exists(subtop.home / "after") ? true : nil }
    #expect(try await tmux.isGivenBack())
    #expect(!File.exists(subtop.store), "no store is made where it cannot open")
  }
}
