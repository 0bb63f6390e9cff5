import CTerminal
import Glibc

public struct TerminalOptions: Sendable {
  public var theme: Theme
  /// Whether clicks and the wheel are reported; text can then be selected only while Shift is held.
  public var mouse: Bool
  /// Whether to draw in ASCII even if the locale is UTF-8.
  public var ascii: Bool
  /// Whether to send each frame as a synchronized update (private mode 2026), which ncurses does not support.
  public var synchronized: Bool
  /// Whether to ask the terminal for its background; an answer arrives as the event `background(isLight:)`.
  public var asksBackground: Bool
  public var environment: TerminalEnvironment
  public var input: Int32
  public var output: Int32

  public init(
    theme: Theme = .terminal, mouse: Bool = true, ascii: Bool = false,
    synchronized: Bool = false, asksBackground: Bool = false,
    environment: TerminalEnvironment = .current,
    input: Int32 = 0, output: Int32 = 1
  ) {
    (self.theme, self.mouse, self.ascii, self.synchronized) = (theme, mouse, ascii, synchronized)
    (self.environment, self.asksBackground) = (environment, asksBackground)
    (self.input, self.output) = (input, output)
  }
}

/// Environment variables that describe a terminal and its locale.
public struct TerminalEnvironment: Hashable, Sendable {
  /// Terminal type from `TERM`.
  public var type: String?
  /// Whether `COLORTERM` announces direct colour.
  public var showsEveryColour: Bool
  /// Whether `NO_COLOR` is set and not empty (no-color.org).
  public var refusesColour: Bool
  /// Milliseconds to wait after an Escape for the rest of a function key, from `ESCDELAY`.
  public var escapeDelay: Int32
  /// Locale for characters; if empty, `LC_ALL`, `LC_CTYPE` or `LANG` decides.
  public var locale: String

  /// Creates an environment; the default delay is 25 ms, because ncurses' 1000 ms make the Escape key slow.
  public init(
    type: String?, refusesColour: Bool = false, escapeDelay: Int32 = 25, locale: String = "",
    showsEveryColour: Bool = false
  ) {
    (self.type, self.showsEveryColour, self.refusesColour) = (type, showsEveryColour, refusesColour)
    (self.escapeDelay, self.locale) = (escapeDelay, locale)
  }

  public static var current: TerminalEnvironment {
    TerminalEnvironment(
      type: variable("TERM"), refusesColour: variable("NO_COLOR")?.isEmpty == false,
      escapeDelay: variable("ESCDELAY").flatMap { Int32($0) }.map { min(max($0, 0), 1000) } ?? 25,
      showsEveryColour: ["truecolor", "24bit"].contains(variable("COLORTERM") ?? ""))
  }

  /// Terminfo types to try: `type`, but first its variant with direct colour if `COLORTERM` announces it.
  ///
  /// Types that end in `-256color` have a variant in the package *ncurses-term*. It is not tried in tmux and
  /// screen, because the outer terminal may support fewer colours.
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

/// Error that prevents the dashboard from starting; its description suggests a solution.
public enum TerminalError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Stream that must be a terminal.
  public enum Stream: String, Hashable, Sendable {
    case input
    case output
  }

  case notATerminal(Stream)
  case termUnset
  case termUnknown(String)
  /// The type is known, but it cannot move its cursor, for example `dumb`.
  case termIncapable(String)
  case alreadyOpen
  case outOfResources

  public var description: String {
    let opening = "cannot open the dashboard: "
    let instead = "run `subtop report overview` to print the figures"
    switch self {
    case .notATerminal(let stream):
      return opening + "standard \(stream.rawValue) is not a terminal; " + instead
    case .termUnset:
      return opening + "TERM is not set, so the kind of terminal is unknown; set it, for example to "
        + "xterm-256color, or " + instead
    case .termUnknown(let name):
      return opening + "this machine's terminfo does not know TERM=\(Self.printable(name)); set TERM to "
        + "a kind it knows, for example xterm-256color, or " + instead
    case .termIncapable(let name):
      return opening + "a terminal of type TERM=\(Self.printable(name)) cannot move its cursor; set TERM "
        + "to its real type, or " + instead
    case .alreadyOpen: return opening + "it is already open in this process"
    case .outOfResources:
      return opening + "the system refused a file descriptor or a terminal mode; close other programs, or "
        + instead
    }
  }

  /// Returns at most 64 characters of TERM, in printable ASCII, because the message is shown on a terminal.
  private static func printable(_ name: String) -> String {
    String(name.unicodeScalars.prefix(64).map { (0x21...0x7E).contains($0.value) ? Character($0) : "?" })
  }
}
