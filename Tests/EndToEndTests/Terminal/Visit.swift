import Testing

/// Session of the dashboard in a terminal, from shell prompt to shell prompt.
struct Visit: Sendable {
  let subtop: Subtop
  let tmux: Tmux

  /// Shell command that writes the terminal modes, without the size, to the file whose name follows.
  static let modes = "stty -a | sed 's/rows .* columns [0-9]*;//' >$HOME/"

  /// - Parameter terminal: Value of TERM, if not the shell's.
  init(
    _ subtop: Subtop, _ arguments: [String], terminal: String? = nil, in shell: String = "sh -i"
  ) async throws {
    self.subtop = subtop
    tmux = try await Tmux(subtop, running: shell)
    let words = arguments.joined(separator: " ")
    // A shell aborts a command list at ^C, so later commands are typed separately.
    let line = "ulimit -c 0; \(Self.modes)before; \(terminal.map { "TERM=\($0) " } ?? "")$PROGRAM \(words)"
    _ = try subtop.file("start", line + "\n")
    try await tmux.run(". $HOME/start")
  }

  func isOver(_ code: Int, at location: SourceLocation = #_sourceLocation) async throws {
    try await tmux.wait("the program ends", at: location) { _ in Processes.children(of: tmux.shell).isEmpty }
    try await tmux.run("echo \"ended $?\"; \(Self.modes)after")
    try await tmux.wait(for: "ended \(code)", at: location)
    let after = try await soon("the modes are taken down") {
      try? File.text(subtop.home / "after").isEmpty ? nil : File.text(subtop.home / "after")
    }
    #expect(try File.text(subtop.home / "before") == after, "stty -a", sourceLocation: location)
    #expect(try await tmux.isGivenBack(), "cursor, screen and mouse", sourceLocation: location)
  }
}
