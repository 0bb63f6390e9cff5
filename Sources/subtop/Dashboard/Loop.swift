import Dashboard
import FoundationEssentials
import Glibc
import Logging
import ReceiptStore
import Screen
import Subscriptions
import Terminal

/// Main loop: waits for input and events, updates the state, performs effects and draws.
struct Loop {
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

  /// Runs until the user quits or a signal arrives; returns the signal's number, or `nil` if the user quit.
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
        case .terminate(SIGINT):
          take(.input(.key(.control("c"))))
          if isOver { return SIGINT }
        case .terminate(let signal): return signal
        case .background(let isLight): take(.background(isLight: isLight))
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
    case .copy(let text, let what):
      if Clipboard.isTaken(text, without: effects.secretVariables) {
        take(.noted("Copied \(what).", isBad: false))
      } else if let sequence = Clipboard.sequence(text) {
        terminal.send(sequence)
        // Terminals do not report whether they accepted the text.
        take(.noted("Sent \(what) to the terminal's clipboard.", isBad: false))
      } else {
        take(.noted("Too long for the terminal's clipboard; ^S exports it to a file.", isBad: true))
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

extension DashboardSession {
  /// Runs the dashboard, and returns the signal that must end the process; `nil` if the user quit.
  func run() throws -> Int32? {
    let mailbox = try Mailbox()
    let screen = try Terminal.open(terminal)
    let effects = EffectRunner(self, mailbox)
    var state = State(
      storeName: storeName, size: screen.size, now: now(), glyphs: screen.glyphs, environment: environment,
      fixedAt: fixedAt, isReadOnly: isReadOnly, refreshSchedule: refreshSchedule, takesMouse: terminal.mouse,
      themes: themes.map(\.name),
      theme: terminal.theme.name, isTemporary: memory == nil, keys: keys, zones: zones,
      zone: zones.first ?? .utc, hasAlerts: alerts?.hasAlerts ?? false)
    state.remember(memory?.read() ?? Remembered())
    state.guide = guide
    if !state.takesMouse { screen.setMouse(false) }
    if let theme = themes.first(where: { $0.name == state.theme }) { screen.setTheme(theme) }
    state.origin = store.shared?.origin
    let watch = StoreWatch(store) {
      if let origin = store.shared?.origin { mailbox.post(.shared(origin)) }
      mailbox.post(.storeChanged)
    }
    defer { withExtendedLifetime(watch) {} }
    for note in notes { mailbox.post(.noted(note.harmless, isBad: true)) }
    switch listener {
    case .success(let listener): listener?.begin { mailbox.post($0) }
    case .failure(let failure):
      Logger.subtop.error("cannot receive notifications: \(failure.message)")
      mailbox.post(.notReceiving("cannot receive notifications: \(failure.message.harmless)"))
    }
    var loop = Loop(
      terminal: screen, mailbox: mailbox, effects: effects, state: state, themes: themes, now: now)
    let signal = loop.run()
    screen.close()
    memory?.write(loop.state.remembered)
    effects.stop()
    try? listener.get()?.end()
    for name in effects.finish() { Standard.complain("stopped \(name), which was still running") }
    return signal
  }
}

/// Clipboard of the terminal, which may be on another machine, set by xterm's control sequence OSC 52.
enum Clipboard {
  /// Maximum bytes of encoded text, because terminals (xterm, hterm) truncate longer text.
  private static let most = 74_994

  /// Passes the text to tmux if the dashboard runs in it, and returns whether tmux accepted the text.
  ///
  /// The option `-w`, new in tmux 3.2, makes tmux also pass the text on to its own terminal.
  static func isTaken(_ text: String, without secrets: Set<String>) -> Bool {
    guard Environment.filled("TMUX") != nil else { return false }
    let limit = 2 * Milliseconds.second
    return ChildProgram(
      words: ["tmux", "load-buffer", "-w", "-"], hidden: secrets, limit: limit, input: text
    )
    .output().failure == nil
  }

  static func sequence(_ text: String) -> String? {
    let encoded = Data(text.utf8).base64EncodedString()
    return encoded.utf8.count <= most ? "\u{1B}]52;c;\(encoded)\u{07}" : nil
  }
}
