/// An error that prevents the dashboard. The description says what to do instead.
public enum TerminalError: Error, Hashable, Sendable, CustomStringConvertible {
  public enum Stream: String, Hashable, Sendable {
    case input
    case output
  }

  case notATerminal(Stream)
  case termUnset
  case termUnknown(String)
  /// The type is known but cannot move its cursor: `dumb`.
  case termIncapable(String)
  case alreadyOpen
  case outOfResources

  public var description: String {
    let opening = "cannot open the dashboard: "
    let instead = "run `subtop report overview` for the figures without one"
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
      return opening + "a terminal of TERM=\(Self.printable(name)) cannot move its cursor; set TERM to what "
        + "it really is, or " + instead
    case .alreadyOpen: return opening + "it is open already in this process"
    case .outOfResources:
      return opening + "the system refused a descriptor or the terminal's modes; close other programs, or "
        + instead
    }
  }

  /// TERM comes from outside, and the message is shown on a terminal.
  private static func printable(_ name: String) -> String {
    String(name.unicodeScalars.prefix(64).map { (0x21...0x7E).contains($0.value) ? Character($0) : "?" })
  }
}
