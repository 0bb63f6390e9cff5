import ArgumentParser
import Dashboard
import FakeAppStore
import ReceiptStore
import Subscriptions
import Sweep

struct DemoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "demo",
    abstract:
      "Try the dashboard without an account, with made-up subscribers and an App Store on loopback.",
    discussion: """
      The store is temporary and contains a year of history: a campaign with an offer code, a card network's bad week, a win-back offer, \
      a bad release and a price increase. The customer user-4821 saw most of it. The demo has three alerts (`subtop help alerts`): the \
      header shows raised ones, and A lists all. Ten minutes of the demo's clock pass each second, so that figures change.
      """)

  @Option(
    parsing: .unconditional, help: "Number of subscribers. (default: 1000)",
    transform: WrittenNumber.whole(1...1_000_000))
  var subscribers = 1000

  @Option(
    parsing: .unconditional,
    help: "Random seed; the same seed gives the same subscribers. (default: 1)",
    transform: WrittenNumber.whole(0...UInt64.max))
  var seed: UInt64 = 1

  @Flag(help: "Sweep once, print the beginning of `subtop report overview`, and exit.")
  var headless = false

  @Flag(help: "Show a guide in five steps at the bottom of the dashboard; x closes it.")
  var guide = false

  @OptionGroup var screen: ScreenOptions

  func run() throws {
    guard headless || Standard.isTerminal else {
      throw Failure(
        .usage,
        "the demo's dashboard needs a terminal, and standard input or output is not a terminal; run `subtop demo --headless`"
      )
    }
    // Time zones must be read while there is one thread.
    let zones = TimeZones.standard
    let world = try DemoWorld(
      subscribers: subscribers, seed: seed, isLiving: !headless,
      isNotified: !headless && !screen.readOnly)
    defer { world.remove() }
    let signal = try headless ? runHeadless(world) : runDashboard(world, zones)
    guard let signal else { return }
    world.remove()
    Interruption.die(by: signal)
  }

  private func runHeadless(_ world: DemoWorld) throws -> Int32? {
    let meter = SweepMeter()
    let sweep = try world.sweep(.due, watcher: meter.watch)
    let interruption = Interruption { sweep.cancel() }
    let summary = try SweepCommand.run(sweep)
    meter.end()
    if summary.stopped == .interrupted { return interruption.number }
    var question = Question(panel: .overview, at: world.clock.now)
    question.reportingCurrency = FakeRates.base
    let report = try world.store.report(question)
    try Standard.print { firstScreen(of: report, width: $0, glyphs: $1) }
    Standard.note(
      "See `subtop report overview` for more. In a terminal, `subtop demo --guide` opens this store; press f and type user-4821.\n"
    )
    if let failure = Failure(summary) { throw failure }
    return nil
  }

  private func runDashboard(_ world: DemoWorld, _ zones: TimeZones) throws -> Int32? {
    let clock = world.clock
    // A read-only dashboard does not sweep, and an unvalidated store shows nothing.
    if screen.readOnly { _ = try SweepCommand.run(try world.sweep(.all) { _ in }) }
    try DemoAlerts.wereSeen(in: world.store, upTo: clock.now)
    let session = DashboardSession(
      store: world.store, storeName: world.name, environment: .production, fixedAt: nil,
      reporting: FakeRates.base, alerts: try DemoAlerts.watch(world.store), isReadOnly: screen.readOnly,
      refreshSchedule: RefreshSchedule(refresh: 2000, sweep: screen.readOnly ? nil : 60_000),
      zones: zones.all,
      terminal: screen.terminal(),
      guide: guide && !screen.readOnly ? Guide(customer: AppUserID("user-4821")) : nil,
      now: { clock.now }, makeSweep: { selection, watcher in try world.sweep(selection, watcher: watcher) },
      listener: .success(world.listener))
    return try session.run()
  }
}

/// Alerts of the demonstration, as in `[alerts]` of a configuration.
///
/// They concern a bad release's refunds (raised days ago), the resulting churn, and MRR at risk (not raised).
enum DemoAlerts {
  static let conditions = [
    ("refunds", "refunds > 3x usual"), ("churn", "churn_rate > 6%"),
    ("retry", "billing_retry.mrr_at_risk > 500"),
  ]

  static func watch(_ store: ReceiptStore) throws(AlertProblem) -> AlertWatch {
    var configuration = ConfigurationFile.standard
    configuration.reportingCurrency = FakeRates.base
    for (name, condition) in conditions {
      configuration.alerts.alerts.append(Alert(name, try AlertCondition(parsing: condition)))
    }
    return AlertWatch(configuration, store)
  }

  static func wereSeen(in store: ReceiptStore, upTo now: Instant) throws {
    let watch = try watch(store)
    for days in stride(from: Int64(14), to: 0, by: -1) {
      for trouble in watch.deliver(at: now - days * Milliseconds.day) { Standard.complain(trouble) }
    }
  }
}
