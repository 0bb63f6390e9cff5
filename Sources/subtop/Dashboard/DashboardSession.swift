import Dashboard
import Files
import FoundationEssentials
import Logging
import ReceiptStore
import Screen
import Subscriptions
import Sweep
import Terminal

/// Run of the dashboard over one store, from opening the terminal to closing it.
struct DashboardSession {
  var store: ReceiptStore
  var storeName: String
  var environment: EnvironmentScope
  var fixedAt: Instant?
  var program = SmallBusinessProgram.none
  /// Currency that amounts are also reported in, if any.
  var reporting: CurrencyCode?
  /// Alerts to show and to report after sweeps, if any.
  var alerts: AlertWatch?
  var isReadOnly: Bool
  var refreshSchedule: RefreshSchedule
  var keys = KeyMap.standard
  /// Environment variables with secrets, which custom commands do not inherit.
  var secretVariables: Set<String> = []
  var zones: [Zone]
  var terminal: TerminalOptions
  /// Themes to cycle through.
  var themes = Theme.all
  /// Non-fatal problems to show at the start.
  var notes: [String] = []
  /// `nil` if nothing is remembered, as in a demonstration.
  var memory: RememberedFile?
  var guide: Guide?
  var now: @Sendable () -> Instant
  var makeSweep: @Sendable (SweepSelection, @escaping Sweep.Watcher) throws -> Sweep
  /// Returns the listener for notifications, or `nil` if there is none.
  var makeListener: () throws(Failure) -> BackgroundListener?

  /// Runs until the user quits.
  ///
  /// - Returns: The signal that ended it, to end the process by after cleaning up; `nil` if the user quit.
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
      fixedAt: fixedAt, isReadOnly: isReadOnly, refreshSchedule: refreshSchedule, takesMouse: terminal.mouse,
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

  /// Starts the listener, if there is one. If it fails, the dashboard shows the reason and continues.
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

/// File of the dashboard's remembered settings, `$XDG_STATE_HOME/subtop/dashboard.json`. A file that cannot
/// be read, or that other users can write, is ignored. If it cannot be written, that is only logged.
struct RememberedFile {
  private static let name = "dashboard.json"

  /// `nil` if nothing is stored.
  let folder: String?

  func read() -> Remembered {
    guard let folder, let bytes = try? TrustedFile.state.bytes(at: "\(folder)/\(Self.name)") else {
      return Remembered()
    }
    return (try? JSONDecoder().decode(Remembered.self, from: Data(bytes))) ?? Remembered()
  }

  /// Replaces the file by renaming, so that another dashboard never reads half of it.
  func write(_ remembered: Remembered) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    guard let folder, let data = try? encoder.encode(remembered) else { return }
    do throws(FileProblem) {
      try OwnFolder(making: folder).replace(Self.name, with: Array(data))
    } catch {
      Logger.subtop.notice("cannot remember what the dashboard shows: \(error)")
    }
  }
}
