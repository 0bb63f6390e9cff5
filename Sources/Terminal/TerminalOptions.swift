import Glibc

public struct TerminalOptions: Sendable {
  public var theme: Theme
  /// Whether clicks and the wheel are reported. The terminal then selects text only with Shift held.
  public var mouse: Bool
  /// Whether to draw in ASCII even if the locale is UTF-8.
  public var ascii: Bool
  /// Whether each frame is one synchronized update: private mode 2026, which ncurses does not support.
  public var synchronized: Bool
  public var environment: TerminalEnvironment
  /// Descriptors of the terminal, not necessarily the standard ones.
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

public struct TerminalEnvironment: Hashable, Sendable {
  /// `TERM`.
  public var type: String?
  /// Whether `COLORTERM` promises direct colour.
  public var showsEveryColour: Bool
  /// Whether `NO_COLOR` has a value that is not empty (no-color.org).
  public var refusesColour: Bool
  /// `ESCDELAY`: milliseconds that an Escape may wait to become a function key.
  public var escapeDelay: Int32
  /// Locale of the characters; if empty, `LC_ALL`, `LC_CTYPE` or `LANG` decides.
  public var locale: String

  /// The default delay is 25 ms. With the 1000 ms of ncurses, Escape feels broken.
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

  public static var current: TerminalEnvironment {
    TerminalEnvironment(
      type: variable("TERM"), refusesColour: variable("NO_COLOR")?.isEmpty == false,
      escapeDelay: variable("ESCDELAY").flatMap { Int32($0) }.map { min(max($0, 0), 1000) } ?? 25,
      showsEveryColour: ["truecolor", "24bit"].contains(variable("COLORTERM") ?? ""))
  }

  /// Terminfo types to try, the most capable first. A terminal with direct colour may have a type of its own
  /// (*ncurses-term*). tmux and screen are excluded, since the terminal around them may have fewer colours.
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
