import Dispatch
import ReceiptStore
import Subscriptions
import Synchronization

/// One sweep: takes receipts from the store, asks the App Store about each, and commits what came back.
///
/// Three queues, each with one work. `subtop.sweep` owns the curl handles and never waits for anything but the
/// network; answers are decoded on a concurrent queue; a serial one reads the store and commits in batches.
/// The ledger between them holds a bounded number of receipts.
public final class Sweep: Sendable {
  /// Called from the sweep's own queues; it should only pass the event on.
  public typealias Watcher = @Sendable (SweepEvent) -> Void

  let selection: SweepSelection
  let store: ReceiptStore
  let secrets: SharedSecrets
  let options: SweepOptions
  let clock: @Sendable () -> Instant
  let chance: @Sendable () -> Double
  let engine: TransferEngine<SweepJob>
  let ledger: Mutex<SweepLedger>
  let mail: SweepMail
  private let network = DispatchQueue(label: "subtop.sweep", qos: .utility)
  private let decoding = DispatchQueue(label: "subtop.sweep.decode", qos: .utility, attributes: .concurrent)
  let recording = DispatchQueue(label: "subtop.sweep.record", qos: .utility)
  private let undecoded = DispatchGroup()

  /// - Parameters:
  ///   - clock: the time that receipts are due by and answers are recorded with.
  ///   - chance: a number from 0 to below 1, for the jitter of waits.
  public init(
    _ selection: SweepSelection, of store: ReceiptStore, secrets: SharedSecrets,
    options: SweepOptions = SweepOptions(), clock: @escaping @Sendable () -> Instant,
    chance: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) },
    watcher: @escaping Watcher = { _ in }
  ) throws(SweepError) {
    self.selection = selection
    self.store = store
    self.secrets = secrets
    self.options = options
    self.clock = clock
    self.chance = chance
    mail = SweepMail(watcher: watcher, started: clock())
    ledger = Mutex(
      SweepLedger(window: max(2 * Self.page, 4 * options.concurrency), limit: options.limit))
    do throws(TransportError) {
      engine = try TransferEngine(queue: network, limits: options.limits)
    } catch {
      throw .transport(error.text)
    }
  }

  /// Sweeps in the background; the watcher hears of it, the end included. A sweep runs once.
  public func start() { network.async { _ = self.sweep() } }

  /// Sweeps and waits for the end, which the watcher hears of too.
  public func run() throws(SweepError) -> SweepSummary {
    try network.sync { self.sweep() }.get()
  }

  /// Stops within a second, from any thread: what was answered is committed, the rest is as it was.
  public func cancel() {
    ledger.withLock { $0.end(.interrupted) }
    engine.stop()
  }
}

extension Sweep {
  /// Receipts read from the store at a time, and committed at a time.
  static let page = 256

  private func sweep() -> Result<SweepSummary, SweepError> {
    recording.sync { begin() }
    _ = engine.run(
      concurrency: options.concurrency, next: { ledger.withLock { $0.next(options) } },
      finish: { job, result in
        ledger.withLock { $0.landed() }
        decoding.async(group: undecoded) { self.judge(job, result) }
      })
    undecoded.wait()
    let result = recording.sync { end() }
    switch result {
    case .success(let summary): mail.watcher(.finished(summary))
    case .failure(let error): mail.watcher(.failed(error))
    }
    return result
  }

  private func judge(_ job: SweepJob, _ result: TransferResult) {
    let judgement = Judgement(result, in: job.context)
    switch ledger.withLock({ $0.judge(job, judgement) }) {
    case .nothing: break
    case .ask: engine.wake()
    case .commit: recording.async { self.commit() }
    case .stop: engine.stop()
    }
  }
}
