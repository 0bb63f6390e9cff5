import Testing

@Suite("Hostile text on the dashboard", .enabled(if: Tmux.isThere, "tmux is not installed"))
struct HostileDashboardTests {
  /// `script` records every byte that the program sends to its terminal.
  @Test func commandsNoTerminal() async throws {
    let subtop = try await HostileText.store()
    let tmux = try await Tmux(subtop, columns: 160, rows: 50)
    let raw = subtop.home / "raw"
    try await tmux.run("script -q -c \"$PROGRAM --at \(HostileText.at)\" \(raw)")
    try await tmux.wait(for: "Subscribers in")
    try await tmux.press("E")
    try await tmux.wait(for: "events in")
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
    try await tmux.press("q")
    try await tmux.wait("the program ends") { _ in Processes.children(of: tmux.shell).isEmpty }
    let sent = try File.bytes(raw)
    #expect(sent.count > 5000)
    #expect(ForeignCommands.all(in: sent) == [])
  }
}

/// Sequences that curses never sends.
private enum ForeignCommands {
  static func all(in bytes: [UInt8]) -> [String] {
    var scalars = String(decoding: bytes, as: UTF8.self).unicodeScalars[...]
    var found: [String] = []
    while let scalar = scalars.popFirst() {
      if scalar == "\u{1B}" {
        if let foreign = escape(&scalars) { found.append(foreign) }
      } else if !ofCurses.contains(scalar) {
        found += commands(in: String(scalar))
      }
    }
    return found
  }

  /// Characters that curses uses for cursor movement and character sets (sgr0).
  private static let ofCurses: Set<Unicode.Scalar> = ["\r", "\n", "\u{8}", "\t", "\u{F}"]

  /// Consumes an escape sequence. Returns `nil` if curses may send it.
  private static func escape(_ scalars: inout Substring.UnicodeScalarView) -> String? {
    switch scalars.popFirst() {
    case "[":
      let parameters = scalars.prefix { !("@"..."~").contains($0) }
      scalars = scalars.dropFirst(parameters.count)
      let end = scalars.popFirst()
      let isForeign =
        parameters.contains { !"0123456789;?>".unicodeScalars.contains($0) } || end == "n" || end == "c"
        || parameters.count > 20 || String(parameters).contains("31337")
      return isForeign ? "CSI \(String(parameters).debugDescription) \(end.map(String.init) ?? "")" : nil
    case "(", ")":
      _ = scalars.popFirst()
      return nil
    case "=", ">", "7", "8", "M", "H": return nil
    case let other: return "ESC \(other.map(\.debugDescription) ?? "")"
    }
  }
}
