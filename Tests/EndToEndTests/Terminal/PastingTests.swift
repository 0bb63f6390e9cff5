import Glibc
import Testing

@Suite("Pasting and marking", .enabled(if: Tmux.isThere, "tmux is not installed"))
struct PastingTests {
  @Test func pastedTextIsNeverReadAsKeys() async throws {
    let visit = try await Visit(SmallStore.copy(), ["--at", World.now])
    let tmux = visit.tmux
    try await tmux.wait(for: "MRR")
    // As keys, `s` would sweep, `e` show the sandbox, and `q` quit.
    try await tmux.paste("user-001291 seq\n")
    try await tmux.wait(for: "find: user-001291 seq")
    try await tmux.press("Escape")
    // An Escape followed immediately by a key is part of a sequence.
    try await tmux.wait("the line goes") { !$0.contains("find: ") }
    // The Overview has no list to filter.
    try await tmux.press("E", showing: "newest first")
    try await tmux.press("/")
    try await tmux.paste("gold\nq\n")
    try await tmux.wait(for: "/gold q")
    try await tmux.press("Escape")
    try await tmux.press("F10")
    try await visit.isOver(0)
    // A shell that did not request bracketed paste gets the text as typed.
    try await tmux.paste("echo pasted-$((40 + 2))\n")
    let screen = try await tmux.wait(for: "pasted-42")
    #expect(!screen.contains("200~"), "the terminal is the shell's again")
  }

  @Test func userDefinedCommands() async throws {
    let subtop = try await SmallStore.copy()
    let config = try subtop.file(
      "own.toml",
      """
      [commands]
      say = { key = "!", run = "printf 'ran-%s' $((40+2))" }
      show = { key = "O", run = "printenv SUBTOP_SHARED_SECRET" }
      """)
    let visit = try await Visit(subtop, ["--at", World.now, "--config", config])
    let tmux = visit.tmux
    try await tmux.wait(for: "MRR")
    try await tmux.press("!", again: "ran-$((40+2))")
    try await tmux.press("O", again: "show exited with 1")
    try await tmux.press("M", showing: "say: ran-$((40+2))")
    try await tmux.press("C-c", showing: "Press ^C again to quit.")
    try await tmux.press("C-c")
    try await visit.isOver(130)
  }

  @Test(arguments: [nil, SIGTERM]) func commandsEndWithTheDashboard(signal: Int32?) async throws {
    let subtop = try await SmallStore.copy()
    let pid = subtop.home / "pid"
    let config = try subtop.file(
      "own.toml",
      """
      [commands]
      wait = { key = "!", run = "sh -c 'sleep 600 & echo $$ >\(pid); wait'" }
      """)
    let visit = try await Visit(subtop, ["--at", World.now, "--config", config])
    try await visit.tmux.wait(for: "MRR")
    try await visit.tmux.press("!", again: "Running wait")
    let group = try await soon("it runs") {
      (try? File.text(pid)).flatMap { pid_t($0.filter { !$0.isNewline }) }
    }
    if let signal {
      kill(try await visit.tmux.running(), signal)
    } else {
      try await visit.tmux.press("F10")
    }
    try await visit.isOver(signal.map { 128 + Int($0) } ?? 0)
    #expect(try await visit.tmux.screen().contains("subtop: stopped wait, which was still running"))
    // Reaping orphans may take a while.
    try await soon("its group goes") { kill(-group, 0) == -1 && errno == ESRCH ? true : nil }
  }

  @Test func markedRowsAreSwept() async throws {
    let world = try await World.today.value
    let subtop = try await world.small(40)
    let visit = try await Visit(subtop, ["dashboard", "--no-mouse"] + world.appStore.options)
    let tmux = visit.tmux
    try await tmux.wait(for: "Subscribers in")
    try await tmux.press("3", showing: "Auto-renew")
    try await tmux.press("g")
    try await tmux.press("g")
    try await tmux.press("Enter")
    try await tmux.wait("a figure's rows") { $0.contains("Active →") }
    try await tmux.press("t")
    try await tmux.press("t", showing: "2 marked")
    try await tmux.press("L", showing: "Sweep 2 marked rows?")
    try await tmux.press("x")
    try await tmux.wait("the question goes") { !$0.contains("Sweep 2 marked rows?") }
    try await tmux.press("L", showing: "sweeps; any other key")
    try await tmux.press("y")
    try await tmux.wait("the marks go") { !$0.contains("2 marked") }
    try await tmux.press("W", showing: "Swept 2 receipts")
    try await tmux.press("C-c", showing: "Press ^C again to quit.")
    try await tmux.press("C-c")
    try await visit.isOver(130)
    let sweeps = try await subtop.run("sweeps", "--format", "json").json.list
    #expect(sweeps.count == 2 && sweeps.first?["picked"]?.integer == 2, "\(sweeps)")
  }
}
