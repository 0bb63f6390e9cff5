import Screen

/// What the main loop hears from the terminal and from those who wake it.
public enum TerminalEvent: Hashable, Sendable {
  case input(InputEvent)
  /// SIGINT (Ctrl-C), SIGTERM, SIGHUP or SIGQUIT: the program is to end in good order.
  case terminate(signal: Int32)
  /// The terminal is gone; nothing can be shown or read any more.
  case hangup
  /// The wake descriptor can be read. Reading it empty is its owner's affair.
  case woken
}
