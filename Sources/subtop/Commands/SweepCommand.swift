import ArgumentParser
import Dashboard
import Glibc
import Logging
import ReceiptStore
import Subscriptions
import Sweep

struct SweepCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sweep", abstract: "Revalidate stored receipts with the App Store and record what came back."
  )

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, json
  }

  @Flag(help: "Receipts whose next check has come. (default)")
  var due = false

  @Flag(help: "Every receipt that can still be asked about.")
  var all = false

  @Option(help: ArgumentHelp("The receipts of one app user.", valueName: "id"))
  var user: String?

  @Option(help: ArgumentHelp("One receipt, by its number in the store.", valueName: "id"))
  var receipt: Int64?

  @Option(help: "Receipts at the most.")
  var limit: Int?

  @Option(help: "Requests at once.")
  var concurrency = 16

  @Option(help: "text or json.")
  var format = Format.text

  @OptionGroup var appStore: AppStoreOptions
  @OptionGroup var options: StoreOptions

  func validate() throws {
    guard [due, all, user != nil, receipt != nil].count(where: { $0 }) <= 1 else {
      throw ValidationError("Give one of --due, --all, --user and --receipt.")
    }
    guard (1...1000).contains(concurrency) else { throw ValidationError("The concurrency is 1 to 1000.") }
    guard limit.map({ $0 > 0 }) ?? true else { throw ValidationError("The limit is a number from 1.") }
  }

  func run() throws {
    let configuration = try options.configuration()
    let settings = try appStore.sweepOptions(configuration, concurrency: concurrency, limit: limit)
    let secrets = try Secrets.load(configuration)
    let store = try options.open()
    try refuseNobody(in: store)
    let meter = SweepMeter()
    let sweep: Sweep
    do throws(SweepError) {
      sweep = try Sweep(
        selection, of: store, secrets: secrets, options: settings, clock: { SystemClock.now },
        watcher: meter.watch)
    } catch {
      throw Failure(error)
    }
    let interruption = Interruption { sweep.cancel() }
    let summary = try SweepCommand.run(sweep)
    meter.end()
    switch format {
    case .text: try Standard.print(text(of: summary, width: Standard.outputColumns, glyphs: Standard.glyphs))
    case .json: try Standard.print(jsonText(summary))
    }
    if summary.counts.rejected > 0 {
      Standard.complain(
        CountText.of(summary.counts.rejected, "receipt was", "receipts were")
          + " rejected for good; the store's table receipts says why under dead_reason")
    }
    interruption.repeatIfHeard()
    if let failure = Failure(summary) { throw failure }
  }

  /// Runs a sweep to its end.
  static func run(_ sweep: Sweep) throws(Failure) -> SweepSummary {
    do throws(SweepError) {
      let summary = try sweep.run()
      Logger.subtop.record(summary)
      return summary
    } catch {
      throw Failure(error)
    }
  }

  /// A receipt asked for by name that is not there is a mistake; nothing being due is not.
  private func refuseNobody(in store: ReceiptStore) throws(Failure) {
    guard user != nil || receipt != nil else { return }
    let chosen = selection
    let count = try withStoreFailures { () throws(StoreError) in
      try store.count(of: chosen, at: SystemClock.now)
    }
    guard count == 0 else { return }
    let whose = user.map { "of the user \(printable($0))" } ?? "with the number \(receipt ?? 0)"
    throw Failure(.noInput, "\(options.path) holds no receipt \(whose) that can be sent; import it first")
  }

  private var selection: SweepSelection {
    if all { return .all }
    if let user { return .user(AppUserID(user)) }
    return receipt.map { .receipt(ReceiptID(rawValue: $0)) } ?? .due
  }
}

extension Failure {
  init(_ error: SweepError) {
    switch error {
    case .noSecret: self.init(.configuration, error.description)
    case .store: self.init(.store, error.description)
    case .transport: self.init(.failed, error.description)
    }
  }

  /// What a sweep that ended badly means for a script; nil where it is done.
  init?(_ summary: SweepSummary) {
    switch summary.stopped {
    case .secretRefused?:
      self.init(
        .configuration,
        "Apple refused the shared secret (21004), so the sweep was stopped and no state changed; check it in App Store Connect"
      )
    case .unreachable?:
      self.init(
        .unreachable, "the App Store could not be reached at all; nothing was changed, try again later")
    case .interrupted?: self.init(.failed, "the sweep was interrupted; what was answered is kept")
    case nil:
      guard summary.counts.retryLater > 0 else { return nil }
      let count = CountText.of(summary.counts.retryLater, "receipt is", "receipts are")
      self.init(.leftForLater, "\(count) left for a later try")
    }
  }
}
