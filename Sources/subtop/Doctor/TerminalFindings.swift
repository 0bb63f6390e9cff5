import Glibc
import Screen
import Subscriptions
import Terminal

/// What the dashboard would have to draw with.
enum TerminalFindings {
  static var all: [Finding] { [colours, letters] }

  private static var colours: Finding {
    guard let type = Environment.filled("TERM") else {
      return Standard.isTerminal
        ? .warning(
          "terminal", "TERM is not set, so the dashboard cannot be drawn; set it, as to xterm-256color")
        : .ok("terminal", "there is none; commands print plain text")
    }
    let name = printable(type)
    guard let colours = TerminalType.colours(of: type) else {
      return .warning(
        "terminal", "the terminal \(name) is not known here; install ncurses-term, or set TERM=xterm-256color"
      )
    }
    if Environment.filled("NO_COLOR") != nil {
      return .ok("terminal", "\(name), without colours since NO_COLOR is set")
    }
    guard colours >= 8 else {
      return .warning(
        "terminal",
        "\(name) has no colours, so that figures differ by bold and reverse alone; try TERM=xterm-256color")
    }
    return .ok("terminal", "\(name), \(colours) colours")
  }

  private static var letters: Finding {
    let locale = printable(Environment.locale ?? "C")
    guard Standard.glyphs == .unicode else {
      return .warning(
        "locale", "\(locale) is not UTF-8, so text is drawn in ASCII; set LC_ALL=C.UTF-8")
    }
    guard setlocale(LC_CTYPE, "") != nil else {
      return .warning(
        "locale", "\(locale) is not installed on this machine; set LC_ALL=C.UTF-8, or install it")
    }
    return .ok("locale", "\(locale) is UTF-8")
  }
}
