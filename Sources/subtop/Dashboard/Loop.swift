import Dashboard
import FoundationEssentials
import Screen
import Subscriptions
import Terminal

/// The main thread: waits for keys and mail, updates the state, performs the effects and shows the state.
struct Loop {
  /// Redraws are at least so far apart while mail pours in, in milliseconds; a key is shown at once.
  private static let frame: Int64 = 33

  let terminal: Terminal
  let mailbox: Mailbox
  let effects: EffectRunner
  private(set) var state: State
  let themes: [Theme]
  let now: () -> Instant

  private(set) var lastShown: Int64 = .min
  private(set) var isStale = true
  private(set) var isOver = false

  /// Runs until somebody leaves.
  ///
  /// - Returns: the signal that ended it; nil where it was a person.
  mutating func run() -> Int32? {
    take(.tick(now: now(), uptime: SystemClock.uptime))
    take(.opened)
    show()
    while !isOver {
      let events = terminal.nextEvents(
        timeoutMilliseconds: timeout(), wakeDescriptor: mailbox.readDescriptor)
      take(.tick(now: now(), uptime: SystemClock.uptime))
      var mustShow = false
      for event in events {
        switch event {
        case .input(let input):
          take(.input(input))
          mustShow = true
        case .woken: for event in mailbox.collect() { take(event) }
        case .terminate(let signal): return signal
        case .hangup: return 1
        }
      }
      isStale = true
      if mustShow || SystemClock.uptime >= lastShown + Self.frame { show() }
    }
    return nil
  }

  private func timeout() -> Int32 {
    let uptime = SystemClock.uptime
    var wait = state.wakesAt.map { max(0, $0 - uptime) } ?? -1
    if isStale {
      let untilFrame = max(0, lastShown + Self.frame - uptime)
      wait = wait < 0 ? untilFrame : min(wait, untilFrame)
    }
    return Int32(clamping: wait)
  }

  private mutating func show() {
    guard !isOver else { return }
    var canvas = Canvas(size: state.size, glyphs: state.glyphs)
    view(state, on: &canvas)
    terminal.show(canvas)
    lastShown = SystemClock.uptime
    isStale = false
  }

  private mutating func take(_ event: Event) {
    for effect in update(&state, event) { perform(effect) }
  }

  private mutating func perform(_ effect: Effect) {
    switch effect {
    case .copy(let text):
      if let sequence = Clipboard.sequence(text, isInTmux: Environment.variable("TMUX") != nil) {
        terminal.send(sequence)
      } else {
        take(.noted("That is too long for a terminal's clipboard; ^S writes it into a file.", isBad: true))
      }
    case .setTheme(let name):
      if let theme = themes.first(where: { $0.name == name }) { terminal.setTheme(theme) }
    case .setMouse(let isOn): terminal.setMouse(isOn)
    case .quit: isOver = true
    case .suspend:
      terminal.suspend()
      take(.input(.resize(terminal.size)))
    case .redraw: terminal.redraw()
    default: effects.perform(effect)
    }
  }
}

/// Puts text on the clipboard of the terminal, which may be on another machine: OSC 52 of xterm's control sequences.
enum Clipboard {
  /// Longer ones are cut off by terminals (xterm, hterm), so they are not sent at all.
  private static let most = 74_994

  /// Nil where the text is too long.
  static func sequence(_ text: String, isInTmux: Bool) -> String? {
    let encoded = Data(text.utf8).base64EncodedString()
    guard encoded.utf8.count <= most else { return nil }
    let plain = "\u{1B}]52;c;\(encoded)\u{07}"
    // tmux takes the plain one where `set-clipboard` is on, and hands the wrapped one through where
    // `allow-passthrough` is; it drops the other.
    return isInTmux ? plain + "\u{1B}Ptmux;\u{1B}\(plain)\u{1B}\\" : plain
  }
}
