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
      "Try everything without an account: made-up subscribers, an App Store on loopback, the dashboard.",
    discussion: "The store is temporary, and time passes an hour a second, so that the figures move.")

  @Option(help: "How many subscribers there are.")
  var subscribers = 3000

  @Option(help: "Which subscribers they are: the same number gives the same ones.")
  var seed: UInt64 = 1

  @Flag(help: "Sweep once, print the overview and end, for a machine without a terminal.")
  var headless = false

  @OptionGroup var screen: ScreenOptions

  func validate() throws {
    guard (1...1_000_000).contains(subscribers) else {
      throw ValidationError("The number of subscribers is 1 to 1,000,000.")
    }
  }

  func run() throws {
    guard headless || Standard.isTerminal else {
      throw Failure(
        .usage,
        "the demo's dashboard needs a terminal, and standard input or output is not a terminal; run `subtop demo --headless`"
      )
    }
    // Before there are other threads.
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
    let sweep = try world.sweep(.all, watcher: meter.watch)
    let interruption = Interruption { sweep.cancel() }
    let summary = try SweepCommand.run(sweep)
    meter.end()
    if summary.stopped == .interrupted { return interruption.number }
    var question = Question(panel: .overview, at: world.clock.now)
    question.reportingCurrency = FakeRates.base
    try ReportCommand.print(try world.store.report(question), as: .table)
    if let failure = Failure(summary) { throw failure }
    return nil
  }

  private func runDashboard(_ world: DemoWorld, _ zones: TimeZones) throws -> Int32? {
    let clock = world.clock
    let session = DashboardSession(
      store: world.store, storeName: "demo", environment: .production, fixedAt: nil,
      reporting: FakeRates.base, isReadOnly: screen.readOnly,
      rhythm: Rhythm(refresh: 2000, sweep: screen.readOnly ? nil : 3000), zones: zones.all,
      terminal: screen.terminal(),
      now: { clock.now }, makeSweep: { selection, watcher in try world.sweep(selection, watcher: watcher) },
      makeListener: { () throws(Failure) in world.listener })
    return try session.run()
  }
}
