import Testing

/// One use of the dashboard in a terminal, from the shell's prompt to the shell's prompt.
struct Visit: Sendable {
  let subtop: Subtop
  let tmux: Tmux

  /// Writes the terminal's modes, without its size, into a file below the home folder, whose name follows.
  static let modes = "stty -a | sed 's/rows .* columns [0-9]*;//' >$HOME/"

  /// Starts the program in a shell that takes down the terminal's modes before and after it.
  ///
  /// - Parameter terminal: the TERM that the program is told of, instead of the shell's.
  init(
    _ subtop: Subtop, _ arguments: [String], terminal: String? = nil, in shell: String = "sh -i"
  ) async throws {
    self.subtop = subtop
    tmux = try await Tmux(subtop, running: shell)
    let words = arguments.joined(separator: " ")
    // A shell gives up a list of commands when one of them ends by ^C, so what comes after is typed after.
    let line = "ulimit -c 0; \(Self.modes)before; \(terminal.map { "TERM=\($0) " } ?? "")$PROGRAM \(words)"
    _ = try subtop.file("start", line + "\n")
    try await tmux.run(". $HOME/start")
  }

  /// Waits for the shell to have its terminal back, and compares.
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
