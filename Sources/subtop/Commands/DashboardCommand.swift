import ArgumentParser
import Dashboard
import Listening
import ReceiptStore
import Subscriptions
import Sweep
import Terminal

struct DashboardCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "dashboard", abstract: "Open the dashboard. (default)")

  @OptionGroup var screen: ScreenOptions
  @OptionGroup var appStore: AppStoreOptions
  @OptionGroup var shared: SharedOption
  @OptionGroup var options: StoreOptions

  func run() throws {
    let configuration = try options.configuration()
    let zones = configuration.zones
    let (themes, problems) = try configuration.ownThemes.all(chosen: configuration.theme)
    var terminal = screen.terminal(synchronized: configuration.synchronizedOutput)
    if let theme = themes.first(where: { $0.name == configuration.theme }) { terminal.theme = theme }
    terminal.asksBackground = configuration.theme == nil
    let settings = try appStore.sweepOptions(configuration)
    // The terminal is checked before a store is created.
    try Terminal.check(terminal)
    let isReadOnly = screen.readOnly || shared.shared
    let store =
      try shared.open(configuration, at: options.at)
      ?? (isReadOnly
        ? options.open(.readOnly, policy: configuration.duePolicy) : options.openForWriting(configuration))
    // Reads once before the terminal changes, so that an error is printed as usual.
    let opened = try store.isShared ? store.readShared()?.at : nil
    let session = DashboardSession(
      store: store, storeName: store.isShared ? store.path : options.path, environment: options.environment,
      fixedAt: options.at,
      program: configuration.smallBusinessProgram, reporting: configuration.reportingCurrency,
      alerts: AlertWatch(configuration, store),
      isReadOnly: isReadOnly, refreshSchedule: RefreshSchedule(),
      keys: configuration.keys, secretVariables: configuration.secretVariables, zones: zones.all,
      terminal: terminal, themes: themes, notes: problems.map(\.message),
      memory: RememberedFile(folder: Environment.stateFolder),
      now: { store.shared?.at ?? opened ?? SystemClock.now },
      makeSweep: { selection, watcher in
        // Secrets are loaded on demand, because browsing needs none.
        try Sweep(
          selection, of: store, secrets: Secrets.load(configuration),
          serverAPI: ServerAPIKeys.load(configuration), options: settings,
          by: "dashboard", clock: { SystemClock.now }, watcher: watcher)
      },
      listener: Result { () throws(Failure) in try listener(store, configuration) })
    if let signal = try session.run() { Interruption.die(by: signal) }
  }

  private func listener(
    _ store: ReceiptStore, _ configuration: ConfigurationFile
  ) throws(Failure) -> BackgroundListener? {
    guard configuration.listen.dashboard, !screen.readOnly, !shared.shared, options.at == nil else {
      return nil
    }
    var settings = configuration.listen.options
    // Sweeps share the store and must be able to wait for other programs.
    settings.patience = nil
    return BackgroundListener(store, settings, admit: try NotificationChecks(configuration).admission)
  }
}
