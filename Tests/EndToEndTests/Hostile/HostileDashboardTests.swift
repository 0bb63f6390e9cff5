import Testing

@Suite("Hostile text on the dashboard", .enabled(if: Tmux.isThere, "tmux is not installed"))
struct HostileDashboardTests {
  /// `script` records every byte that the program sends to its terminal.
  @Test func printsNoTerminalCommands() async throws {
    let subtop = try await HostileText.store()
    let tmux = try await Tmux(subtop, columns: 160, rows: 50)
    let raw = subtop.home / "raw"
    try await tmux.run("script -q -c \"$PROGRAM --at \(HostileText.at)\" \(raw)")
    try await tmux.wait(for: "Subscribers in")
    try await tmux.press("E", showing: "events in")
    try await tmux.press("PgDn")
    try await tmux.press("4")
    try await tmux.wait("hostile products are drawn") {
      $0.contains("In billing retry") && $0.contains("owned")
    }
    try await tmux.press("End")
    try await tmux.press("g")
    try await tmux.press("Enter")
    try await tmux.wait("a chain opens") { $0.contains("Verdict") && $0.contains("owned") }
    try await tmux.press("q")
    try await tmux.wait("the panel is back") { $0.contains("In billing retry") && !$0.contains("Verdict") }
    try await tmux.press("F10")
    try await tmux.wait("the program ends") { _ in Processes.children(of: tmux.shell).isEmpty }
    let sent = try File.bytes(raw)
    #expect(sent.count > 5000)
    // Controls that curses sends itself, and sequences of the texts that curses never sends.
    let text = String(decoding: sent, as: UTF8.self)
    #expect(commands(in: text).filter { !["U+1B", "U+D", "U+8", "U+9", "U+F"].contains($0) } == [])
    for sequence in ["[31337", "]0;owned", "]52;", "cowned", "[6n", "[c"] {
      #expect(!text.contains("\u{1B}\(sequence)"), "\(sequence)")
    }
  }
}
