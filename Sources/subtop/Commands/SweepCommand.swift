import ArgumentParser
import Dashboard
import Logging
import ReceiptStore
import Subscriptions
import Sweep

struct SweepCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sweep",
    abstract: "Check receipts and customers with Apple, and store the answers.",
    discussion: "When receipts are due, and which answers are accepted: subtop help sweeping")

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, json, openmetrics
  }

  @Flag(help: "Receipts that are due. (default)")
  var due = false

  @Flag(help: "All receipts, except those that subtop has given up on.")
  var all = false

  @Flag(help: "Receipts that subtop has given up on, to retry them.")
  var dead = false

  @Option(help: ArgumentHelp("Receipts of one app user.", valueName: "id"))
  var user: String?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("One receipt, by its number in the store.", valueName: "id"),
    transform: WrittenNumber.whole(1...Int64.max))
  var receipt: Int64?

  @Option(help: ArgumentHelp("Receipts that contain an original transaction id.", valueName: "id"))
  var chain: String?

  @Option(
    help: ArgumentHelp("Receipts of the subscriptions that a panel lists.", valueName: "panel"))
  var panel: Panel?

  @Option(
    help: ArgumentHelp(
      "Only receipts behind this figure of the panel, named by its path in the JSON's data.",
      valueName: "name"))
  var figure: String?

  @Option(
    name: .customLong("where"),
    help: ArgumentHelp(
      "Only rows that match this filter, like `/` in the dashboard. Without a panel: all that are running, unverified or in billing retry.",
      valueName: "filter"))
  var filter: String?

  @Option(
    parsing: .unconditional, help: "Maximum number of receipts.", transform: WrittenNumber.whole(1...Int.max))
  var limit: Int?

  @Option(
    parsing: .unconditional,
    help: "Maximum number of concurrent requests; fewer while the App Store is slow. (default: 16)",
    transform: WrittenNumber.whole(1...1000))
  var concurrency: Int?

  @Option(
    parsing: .unconditional, help: "Maximum requests per second. (default: no limit)",
    transform: WrittenNumber.decimal(0.01...100_000))
  var rate: Double?

  @Option(help: "text, json, or openmetrics for a node exporter's textfile collector.")
  var format = Format.text

  @OptionGroup var appStore: AppStoreOptions
  @OptionGroup var options: StoreOptions

  func validate() throws {
    let isList = panel != nil || figure != nil || filter != nil
    guard [due, all, dead, user != nil, receipt != nil, chain != nil, isList].count(where: { $0 }) <= 1 else {
      throw ValidationError(
        "Give only one of --due, --all, --dead, --user, --receipt, --chain and --panel with --where.")
    }
    if panel == nil, figure != nil {
      throw ValidationError("--figure needs --panel.")
    }
    if let problem = list(nil)?.problem { throw ValidationError(problem) }
  }

  func run() throws {
    Arenas.makeOne()
    let configuration = try options.configuration()
    let settings = try sweepOptions(configuration)
    let secrets = try Secrets.load(configuration)
    let serverAPI = try ServerAPIKeys.load(configuration)
    // A missing store means an unmounted disk or a wrong path, not a store without receipts.
    guard ReceiptStore.exists(options.path) else {
      throw Failure(
        .noInput, "there is no store at \(options.path); import receipts first, or pass another --store")
    }
    let store = try options.openForWriting(configuration)
    let selection = try list(configuration)?.selection(in: store, at: SystemClock.now) ?? named
    try refuseNobody(in: store)
    let meter = SweepMeter()
    let sweep = try Sweep(
      selection, of: store, secrets: secrets, serverAPI: serverAPI, options: settings, by: "command line",
      clock: { SystemClock.now }, watcher: meter.watch)
    let interruption = Interruption {
      sweep.cancel()
      store.shortenBusyTimeout()
    }
    let summary: SweepSummary
    do {
      summary = try SweepCommand.run(sweep)
    } catch {
      meter.end()
      // An interrupted sweep ends by its signal, without an error about a busy store.
      interruption.repeatIfHeard()
      throw error
    }
    meter.end()
    // An interrupted sweep does not wait for alert programs.
    let troubles =
      summary.stopped == .interrupted ? [] : AlertWatch(configuration, store).deliver(at: SystemClock.now)
    try print(summary, of: store)
    for trouble in troubles { Standard.complain(trouble) }
    if summary.counts.rejected > 0 {
      Standard.complain(
        "gave up on \(CountText.of(summary.counts.rejected, "receipt")); `subtop status` shows why, and "
          + "`subtop sweep --dead` checks them again")
    }
    // If the sweep failed for lack of a key, the failure already says so.
    if summary.waitingForKey > 0, summary.stopped != .noKey {
      Standard.complain(
        CountText.of(summary.waitingForKey, "customer was", "customers were")
          + " returned to the queue: an id without a receipt can be checked only with a Server API key; see `subtop help secrets`"
      )
    }
    if summary.counts.leftOutChains > 0, let example = summary.leftOutOf.first {
      Standard.complain(
        "ignored \(CountText.of(summary.counts.leftOutChains, "subscription history", "subscription histories"))"
          + " in Apple's answers (for example, for receipt \(example.rawValue)), because nothing proves that they "
          + "belong to the checked receipts")
    }
    interruption.repeatIfHeard()
    if let failure = Failure(summary) { throw failure }
  }

  private func sweepOptions(_ configuration: ConfigurationFile) throws -> SweepOptions {
    var settings = try appStore.sweepOptions(configuration)
    settings.concurrency = concurrency ?? settings.concurrency
    settings.maximumRate = rate ?? settings.maximumRate
    settings.limit = limit
    return settings
  }

  private func print(_ summary: SweepSummary, of store: ReceiptStore) throws {
    switch format {
    case .text: try Standard.print { text(of: summary, width: $0, glyphs: $1) }
    case .json: try Standard.print(jsonText(summary))
    case .openmetrics:
      let now = SystemClock.now
      let status = try store.status(at: now, withQueue: true)
      try Standard.print(OpenMetricsText.of(summary, status: status, at: now), terminator: "")
    }
  }

  static func run(_ sweep: Sweep) throws -> SweepSummary {
    let summary = try sweep.run()
    Logger.subtop.record(summary)
    return summary
  }

  /// Throws an error if a named receipt is not available; an empty queue is not an error.
  private func refuseNobody(in store: ReceiptStore) throws {
    guard let whose else { return }
    let (free, held) = try store.count(of: named, at: SystemClock.now)
    guard free == 0 else { return }
    guard held == 0 else {
      throw Failure(.leftForLater, "another sweep is checking the receipt \(whose); try again later")
    }
    throw Failure(
      .noInput, "\(options.path) has no receipt \(whose) that can be checked; import it first")
  }

  private var whose: String? {
    if let user { return "of the user \(printable(user))" }
    if let chain { return "with the original transaction id \(printable(chain))" }
    return receipt.map { "with the number \($0)" }
  }

  private func list(_ configuration: ConfigurationFile?) -> SweptList? {
    guard panel != nil || filter != nil else { return nil }
    return SweptList(
      panel: panel, figure: figure, filter: filter ?? "", environment: options.environment,
      program: configuration?.smallBusinessProgram ?? .none)
  }

  private var named: SweepSelection {
    if all { return .all }
    if dead { return .dead }
    if let user { return .user(AppUserID(user)) }
    if let chain { return .chain(OriginalTransactionID(chain)) }
    return receipt.map { .receipt(ReceiptID(rawValue: $0)) } ?? .due
  }
}
