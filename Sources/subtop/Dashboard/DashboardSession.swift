import Dashboard
import Logging
import ReceiptStore
import Screen
import Subscriptions
import Sweep
import Terminal

/// The dashboard over one store, from taking the terminal to giving it back.
struct DashboardSession {
  var store: ReceiptStore
  var storeName: String
  var environment: EnvironmentScope
  var fixedAt: Instant?
  var program = SmallBusinessProgram.none
  /// In which amounts are told as well; nil is none.
  var reporting: CurrencyCode?
  /// What sweeps tell of, and the head shows; nil where there is nothing.
  var alerts: AlertWatch?
  var isReadOnly: Bool
  var rhythm: Rhythm
  var keys = KeyMap.standard
  /// Variables of the environment with secrets, which somebody's own commands do not get.
  var secretVariables: Set<String> = []
  var zones: [Zone]
  var terminal: TerminalOptions
  /// Those that a key goes through.
  var themes = Theme.all
  /// Faults that do not stop the dashboard, shown when it opens.
  var notes: [String] = []
  /// Nil where nothing is remembered, as in a demonstration.
  var memory: RememberedFile?
  /// Leads through what is shown; nil where nobody needs it.
  var guide: Guide?
  var now: @Sendable () -> Instant
  var makeSweep: @Sendable (SweepSelection, @escaping Sweep.Watcher) throws -> Sweep
  /// Gives what receives notifications meanwhile; nil where none are to be received.
  var makeListener: () throws(Failure) -> BackgroundListener?

  /// Runs until somebody leaves.
  ///
  /// - Returns: the signal that ended it, for the process to end by once everything is put away; nil where it was a person.
  func run() throws(Failure) -> Int32? {
    let mailbox = try Mailbox()
    let screen: Terminal
    do throws(TerminalError) {
      screen = try Terminal.open(terminal)
    } catch {
      throw Failure(error)
    }
    let effects = EffectRunner(
      store: store, mailbox: mailbox, asKnownThen: fixedAt != nil, program: program, reporting: reporting,
      alerts: alerts, secretVariables: secretVariables, now: now, makeSweep: makeSweep)
    let remembered = memory?.read() ?? Remembered()
    var state = State(
      storeName: storeName, size: screen.size, now: now(), glyphs: screen.glyphs, environment: environment,
      fixedAt: fixedAt, isReadOnly: isReadOnly, rhythm: rhythm, takesMouse: terminal.mouse,
      themes: themes.map(\.name),
      theme: terminal.theme.name, keys: keys, zones: zones,
      zone: zones.first ?? .utc, hasAlerts: alerts?.hasAlerts ?? false)
    state.remember(remembered)
    state.guide = guide
    if !state.takesMouse { screen.setMouse(false) }
    if let theme = themes.first(where: { $0.name == state.theme }) { screen.setTheme(theme) }
    let watch = StoreWatch(log: store.log) { mailbox.post(.storeChanged) }
    defer { withExtendedLifetime(watch) {} }
    for note in notes { mailbox.post(.noted(note.harmless, isBad: true)) }
    let listener = listen(mailbox)
    var loop = Loop(
      terminal: screen, mailbox: mailbox, effects: effects, state: state, themes: themes, now: now)
    let signal = loop.run()
    screen.close()
    memory?.write(loop.state.remembered)
    effects.stop()
    listener?.end()
    for name in effects.finish() { Standard.complain("ended \(name), which was still running") }
    return signal
  }

  /// Nil where nothing listens; where something should, the dashboard says why it does not, and goes on.
  private func listen(_ mailbox: Mailbox) -> BackgroundListener? {
    do throws(Failure) {
      let listener = try makeListener()
      listener?.begin { mailbox.post($0) }
      return listener
    } catch {
      Logger.subtop.error("cannot receive notifications: \(error.message)")
      mailbox.post(.notReceiving("cannot receive notifications: \(error.message.harmless)"))
      return nil
    }
  }
}

extension Failure {
  init(_ error: TerminalError) { self.init(.usage, error.description) }
}
