import ArgumentParser
import Dashboard
import ReceiptStore
import Subscriptions
import Sweep

struct DashboardCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "dashboard", abstract: "Open the dashboard over the store. (default)")

  @OptionGroup var screen: ScreenOptions
  @OptionGroup var appStore: AppStoreOptions
  @OptionGroup var options: StoreOptions

  func run() throws {
    let configuration = try options.configuration()
    let zones = configuration.zones
    let settings = try appStore.sweepOptions(configuration)
    let store =
      try screen.readOnly
      ? options.open(.readOnly, policy: configuration.duePolicy) : options.openForWriting(configuration)
    let session = DashboardSession(
      store: store, storeName: options.path, environment: options.environment, fixedAt: options.at,
      program: configuration.smallBusinessProgram, reporting: configuration.reportingCurrency,
      isReadOnly: screen.readOnly, rhythm: Rhythm(),
      keys: configuration.keys, zones: zones.all,
      terminal: screen.terminal(synchronized: configuration.synchronizedOutput),
      memory: RememberedFile(folder: Environment.stateFolder),
      now: { SystemClock.now },
      makeSweep: { selection, watcher in
        // The secret is looked for when it is needed: browsing needs none.
        try Sweep(
          selection, of: store, secrets: Secrets.load(configuration),
          serverAPI: ServerAPIKeys.load(configuration), options: settings,
          by: "dashboard", clock: { SystemClock.now }, watcher: watcher)
      })
    if let signal = try session.run() { Interruption.die(by: signal) }
  }
}
