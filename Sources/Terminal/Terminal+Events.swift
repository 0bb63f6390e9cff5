import CTerminal
import Glibc
import Screen

extension Terminal {
  /// Waits for something to happen and answers all that has.
  ///
  /// - Parameters:
  ///   - timeout: milliseconds; negative waits for ever.
  ///   - wakeDescriptor: one more descriptor to wait on, as the read end of a mailbox's pipe; -1 for none.
  /// - Returns: nothing when the time is over.
  public func nextEvents(timeoutMilliseconds timeout: Int32, wakeDescriptor: Int32 = -1) -> [TerminalEvent] {
    let ready = UInt32(bitPattern: terminal_wait(timeout, wakeDescriptor))
    var events: [TerminalEvent] = []
    if ready & TERMINAL_SIGNAL.rawValue != 0 { events += signalEvents() }
    if ready & TERMINAL_INPUT.rawValue != 0 { events += inputEvents() }
    if ready & TERMINAL_WOKEN.rawValue != 0 { events.append(.woken) }
    if ready & TERMINAL_HANGUP.rawValue != 0 || emptyReads > 100 { events.append(.hangup) }
    return events
  }

  /// A burst of resizes comes to one.
  private func signalEvents() -> [TerminalEvent] {
    var events: [TerminalEvent] = []
    var mustDrawAnew = false
    while case let signal = terminal_next_signal(), signal != 0 {
      switch signal {
      case SIGWINCH: mustDrawAnew = true
      case SIGTSTP:
        suspend()
        mustDrawAnew = true
      // Continued after a SIGSTOP, which nobody hears: the shell has written on the screen since.
      case SIGCONT: mustDrawAnew = true
      default: events.append(.terminate(signal: signal))
      }
    }
    if mustDrawAnew {
      terminal_resize()
      redraw()
      events.append(.input(.resize(size)))
    }
    return events
  }

  private func inputEvents() -> [TerminalEvent] {
    var events: [TerminalEvent] = []
    var raw = terminal_key()
    var isEmpty = true
    while terminal_next_key(&raw) {
      isEmpty = false
      events.append(.input(Self.event(raw)))
    }
    emptyReads = isEmpty ? emptyReads + 1 : 0
    return events
  }
}
