import Glibc

/// How the terminal is opened.
public struct TerminalOptions: Sendable {
  public var theme: Theme
  /// Whether clicks and the wheel are reported; then the terminal selects text only with Shift held.
  public var mouse: Bool
  /// Whether to draw in ASCII even where the locale could do more.
  public var ascii: Bool
  /// Whether frames are bracketed so that a terminal shows each of them at once: private mode 2026, which ncurses does not know.
  public var synchronized: Bool
  public var environment: TerminalEnvironment
  /// Descriptors of the terminal, which need not be the standard ones.
  public var input: Int32
  public var output: Int32

  public init(
    theme: Theme = .terminal, mouse: Bool = true, ascii: Bool = false,
    synchronized: Bool = false,
    environment: TerminalEnvironment = .current,
    input: Int32 = 0, output: Int32 = 1
  ) {
    self.theme = theme
    self.mouse = mouse
    self.ascii = ascii
    self.synchronized = synchronized
    self.environment = environment
    self.input = input
    self.output = output
  }
}

/// What the environment says about the terminal.
public struct TerminalEnvironment: Hashable, Sendable {
  /// `TERM`.
  public var type: String?
  /// Whether `COLORTERM` says that any colour can be shown.
  public var showsEveryColour: Bool
  /// `NO_COLOR` with any value but the empty one (no-color.org).
  public var refusesColour: Bool
  /// `ESCDELAY` in milliseconds: how long an Escape may wait to become a function key.
  public var escapeDelay: Int32
  /// A locale for the characters; empty takes `LC_ALL`, `LC_CTYPE` or `LANG`.
  public var locale: String

  /// The default delay is 25 ms and not the 1000 ms of ncurses, which make Escape feel broken.
  public init(
    type: String?, refusesColour: Bool = false, escapeDelay: Int32 = 25, locale: String = "",
    showsEveryColour: Bool = false
  ) {
    self.type = type
    self.showsEveryColour = showsEveryColour
    self.refusesColour = refusesColour
    self.escapeDelay = escapeDelay
    self.locale = locale
  }

  /// This process's environment.
  public static var current: TerminalEnvironment {
    TerminalEnvironment(
      type: variable("TERM"), refusesColour: variable("NO_COLOR")?.isEmpty == false,
      escapeDelay: variable("ESCDELAY").flatMap { Int32($0) }.map { min(max($0, 0), 1000) } ?? 25,
      showsEveryColour: ["truecolor", "24bit"].contains(variable("COLORTERM") ?? ""))
  }

  /// Descriptions of the terminal, the most able first: of one that shows every colour there may be one of its own
  /// (*ncurses-term*), except within tmux and screen, which may stand in a terminal that shows fewer.
  var types: [String] {
    guard let type, !type.isEmpty else { return [] }
    let ending = "-256color"
    guard showsEveryColour, type.hasSuffix(ending), !type.hasPrefix("tmux"), !type.hasPrefix("screen") else {
      return [type]
    }
    return [type.dropLast(ending.count) + "-direct", type]
  }

  private static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }
}
