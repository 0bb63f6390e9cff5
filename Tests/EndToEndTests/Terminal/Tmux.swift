import Glibc
import Testing

final class Tmux: Sendable {
  static let program = Program.installed("tmux")
  static let isThere: Bool = {
    if program == nil { print("SKIPPED: the tests in a terminal, since tmux is not installed") }
    return program != nil
  }()

  private let program: Program
  private let subtop: Subtop
  private let socket: String
  private let server: pid_t
  let shell: pid_t

  init(_ subtop: Subtop, columns: Int = 80, rows: Int = 24, running line: String = "sh -i") async throws {
    guard let program = Self.program else { throw ProgramError.missing("tmux") }
    self.program = program
    var subtop = subtop
    subtop.variables["PROGRAM"] = try Program.built("subtop").path
    self.subtop = subtop
    let socket = subtop.home / "tmux"
    self.socket = socket
    let arguments = [
      "-S", socket, "-f", "/dev/null", "start-server", ";", "set-option", "-g", "default-terminal",
      "tmux-256color",
      ";", "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)", "-P", "-F", "#{pid} #{pane_pid}",
      "exec \(line)",
    ]
    let child = try Child(program, arguments, environment: subtop.environment)
    guard try await child.ending() == .code(0) else { throw TmuxError(said: child.errors) }
    let pids = child.output.split { $0.isWhitespace }.compactMap { pid_t($0) }
    guard pids.count == 2 else { throw TmuxError(said: child.output) }
    (server, shell) = (pids[0], pids[1])
    try await wait("the shell's prompt") { $0.contains { !$0.isWhitespace } }
  }

  deinit { kill(server, SIGTERM) }

  private func tmux(_ arguments: String...) async throws -> String {
    let child = try Child(program, ["-S", socket] + arguments, environment: subtop.environment)
    guard try await child.ending() == .code(0) else { throw TmuxError(said: child.errors) }
    return child.output
  }

  /// Presses a key by its tmux name, such as `Enter`, `C-c`, `BTab` or `3`.
  func press(_ key: String) async throws { _ = try await tmux("send-keys", key) }

  func press(_ key: String, showing text: String, at location: SourceLocation = #_sourceLocation) async throws
  {
    try await press(key)
    try await wait(for: text, at: location)
  }

  /// Presses a key repeatedly until a transient text shows, which a slow machine may miss.
  @discardableResult
  func press(
    _ key: String, again text: String, at location: SourceLocation = #_sourceLocation
  ) async throws -> String {
    let clock = ContinuousClock()
    var pressed: ContinuousClock.Instant?
    return try await wait("“\(text)” on \(key)", at: location) { screen in
      if screen.contains(text) { return true }
      if let last = pressed, clock.now < last + .seconds(5) { return false }
      try await press(key)
      pressed = clock.now
      return false
    }
  }

  func type(_ text: String) async throws { _ = try await tmux("send-keys", "-l", text) }

  /// Pastes a text, with brackets if the program requested them.
  func paste(_ text: String) async throws {
    _ = try await tmux("set-buffer", "--", text)
    _ = try await tmux("paste-buffer", "-p")
  }

  func run(_ line: String) async throws {
    try await type(line)
    try await press("Enter")
  }

  /// Waits for the new size, which tmux delays if two changes occur within a quarter of a second.
  func resize(columns: Int, rows: Int) async throws {
    _ = try await tmux("resize-window", "-x", "\(columns)", "-y", "\(rows)")
    let terminal = try await tmux("display-message", "-p", "#{pane_tty}").filter { !$0.isNewline }
    let isSo = "\(terminal) has \(columns) columns and \(rows) rows"
    try await soon(isSo) { () -> Bool? in
      let file = open(terminal, O_RDONLY | O_NOCTTY | O_CLOEXEC)
      defer { close(file) }
      var size = winsize()
      guard ioctl(file, UInt(TIOCGWINSZ), &size) == 0 else { return nil }
      return Int(size.ws_col) == columns && Int(size.ws_row) == rows ? true : nil
    }
  }

  func screen() async throws -> String { try await tmux("capture-pane", "-p") }

  @discardableResult
  func wait(
    _ what: String, at location: SourceLocation = #_sourceLocation, until isSo: (String) async throws -> Bool
  ) async throws -> String {
    do {
      return try await soon(what, every: 100) {
        let screen = try await screen()
        return try await isSo(screen) ? screen : nil
      }
    } catch {
      Issue.record(
        "\(what) did not come to be; the screen shows:\n\(try await screen())", sourceLocation: location)
      throw error
    }
  }

  @discardableResult
  func wait(for text: String, at location: SourceLocation = #_sourceLocation) async throws -> String {
    try await wait("“\(text)”", at: location) { $0.contains(text) }
  }

  func takeClipboard() async throws { _ = try await tmux("set-option", "-g", "set-clipboard", "on") }

  func clipboard() async throws -> String { (try? await tmux("show-buffer")) ?? "" }

  /// Whether the cursor is visible, the main screen is active, and mouse reports are off.
  func isGivenBack() async throws -> Bool {
    try await tmux("display-message", "-p", "#{cursor_flag} #{alternate_on} #{mouse_any_flag}") == "1 0 0\n"
  }

  func running() async throws -> pid_t {
    try await soon("the shell runs something") { Processes.children(of: shell).first }
  }
}

struct TmuxError: Error, CustomStringConvertible {
  let said: String
  var description: String { "tmux: \(said)" }
}

enum Processes {
  static func children(of parent: pid_t) -> [pid_t] {
    File.names(in: "/proc").compactMap { pid_t($0) }.filter { pid in
      (try? fields(of: pid))?.dropFirst().first.flatMap { pid_t($0) } == parent
    }
  }

  /// `S` if sleeping, `T` if stopped.
  static func state(of pid: pid_t) throws -> String? { try fields(of: pid).first }

  private static func fields(of pid: pid_t) throws -> [String] {
    let text = try File.text("/proc/\(pid)/stat")
    return text.lastIndex(of: ")").map { text[$0...].split(separator: " ").dropFirst().map(String.init) }
      ?? []
  }
}
