import Dashboard
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
  var isReadOnly: Bool
  var rhythm: Rhythm
  var keys = KeyMap.standard
  var zones = [Zone.utc]
  var terminal: TerminalOptions
  /// Nil where nothing is remembered, as in a demonstration.
  var memory: RememberedFile?
  var now: @Sendable () -> Instant
  var makeSweep: @Sendable (SweepSelection, @escaping Sweep.Watcher) throws -> Sweep

  /// Runs until somebody leaves.
  ///
  /// - Returns: the signal that ended it, for the process to end by once everything is put away; nil where it was a person.
  func run() throws(Failure) -> Int32? {
    let mailbox = try Mailbox()
    let screen: Terminal
    do throws(TerminalError) {
      screen = try Terminal.open(terminal)
    } catch {
      throw Failure(.usage, error.description)
    }
    let performer = EffectRunner(
      store: store, mailbox: mailbox, asKnownThen: fixedAt != nil, program: program, reporting: reporting,
      makeSweep: makeSweep)
    let remembered = memory?.read() ?? Remembered()
    var state = State(
      storeName: storeName, size: screen.size, now: now(), glyphs: screen.glyphs, environment: environment,
      fixedAt: fixedAt, isReadOnly: isReadOnly, rhythm: rhythm, takesMouse: terminal.mouse,
      themes: Theme.all.map(\.name),
      theme: terminal.theme.name, keys: keys, zones: zones,
      zone: zones.first ?? .utc)
    state.remember(remembered)
    if !state.takesMouse { screen.setMouse(false) }
    if let theme = Theme.named(state.theme) { screen.setTheme(theme) }
    let watch = StoreWatch(log: store.log) { mailbox.post(.storeChanged) }
    defer { withExtendedLifetime(watch) {} }
    var loop = Loop(terminal: screen, mailbox: mailbox, performer: performer, state: state, now: now)
    let signal = loop.run()
    screen.close()
    memory?.write(loop.state.remembered)
    performer.finish()
    return signal
  }
}
