import CTerminal
import Glibc
import Screen

extension Terminal {
  public func nextEvents(timeoutMilliseconds timeout: Int32, wakeDescriptor: Int32 = -1) -> [TerminalEvent] {
    let ready = UInt32(bitPattern: terminal_wait(timeout, wakeDescriptor))
    var events: [TerminalEvent] = []
    if ready & TERMINAL_SIGNAL.rawValue != 0 { events += signalEvents() }
    if ready & TERMINAL_INPUT.rawValue != 0 { events += inputEvents() }
    if ready & TERMINAL_WOKEN.rawValue != 0 { events.append(.woken) }
    if terminal_is_away(), takeAgain() { events.append(.input(.resize(size))) }
    if ready & TERMINAL_HANGUP.rawValue != 0 || emptyReads > 100 { events.append(.hangup) }
    return events
  }

  /// Takes over the terminal again, or returns `false` if the process is in the background.
  private func takeAgain() -> Bool {
    guard terminal_take_again() else { return false }
    pasted = nil
    redraw()
    return true
  }

  /// Handles pending signals and returns their events; several resizes become one event.
  private func signalEvents() -> [TerminalEvent] {
    var events: [TerminalEvent] = []
    var mustDrawAnew = false
    while case let signal = terminal_next_signal(), signal != 0 {
      switch signal {
      case SIGWINCH: mustDrawAnew = true
      case SIGTSTP:
        suspend()
        mustDrawAnew = true
      // SIGSTOP cannot be caught. Meanwhile, the shell may have changed the terminal's modes.
      case SIGCONT: if takeAgain() { mustDrawAnew = true }
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

  /// Collects the keys between the markers of a paste, and returns the pasted text at the end marker.
  ///
  /// At most 4096 Unicode scalars are kept, because prompts accept less. Special keys are ignored.
  private func takePaste(_ raw: terminal_key) -> InputEvent? {
    switch terminal_key_kind(UInt32(bitPattern: raw.kind)) {
    case TERMINAL_PASTE_BEGIN:
      pasted = []
      return nil
    case TERMINAL_PASTE_END:
      defer { pasted = nil }
      return pasted.map { .paste(String(String.UnicodeScalarView($0))) }
    case TERMINAL_KEY_CHARACTER:
      if let count = pasted?.count, count < 4096, let scalar = Unicode.Scalar(raw.value) {
        pasted?.append(scalar)
      }
      return nil
    default: return nil
    }
  }

  private func inputEvents() -> [TerminalEvent] {
    var events: [TerminalEvent] = []
    var raw = terminal_key()
    var isEmpty = true
    while terminal_next_key(&raw) {
      isEmpty = false
      if raw.kind == Int32(TERMINAL_BACKGROUND.rawValue) {
        events.append(.background(isLight: raw.value != 0))
        continue
      }
      if let event = takePaste(raw) ?? (pasted == nil ? Self.event(raw) : nil) {
        events.append(.input(event))
      }
    }
    emptyReads = isEmpty ? emptyReads + 1 : 0
    return events
  }
}

/// Event for the main loop, such as input, a signal, or data at the wake descriptor of `nextEvents`.
public enum TerminalEvent: Hashable, Sendable {
  case input(InputEvent)
  /// SIGINT (Ctrl-C), SIGTERM, SIGHUP or SIGQUIT: the program should shut down cleanly.
  case terminate(signal: Int32)
  case hangup
  /// Background colour of the terminal, which `TerminalOptions.asksBackground` requests.
  case background(isLight: Bool)
  /// The wake descriptor is readable, and its owner must read all data from it.
  case woken
}
