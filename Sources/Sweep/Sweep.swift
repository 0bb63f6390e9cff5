import Dispatch
import Glibc
import ReceiptStore
import Subscriptions
import Synchronization

/// Validates selected receipts: claims them, sends requests to the App Store, and commits the answers.
///
/// The serial queue `subtop.sweep` owns the libcurl handles and waits only for the network. A concurrent
/// queue decodes answers, and another serial queue uses the store. The queues share `ledger`, which contains
/// a bounded number of receipts.
public final class Sweep: Sendable {
  /// Function that receives events on the sweep's queues; it should be fast, because it blocks the queue.
  public typealias Watcher = @Sendable (SweepEvent) -> Void

  let selection: SweepSelection
  let starter: String
  let store: ReceiptStore
  let secrets: SharedSecrets
  let serverAPI: ServerAPIAccess?
  let options: SweepOptions
  let clock: @Sendable () -> Instant
  let chance: @Sendable () -> Double
  let engine: TransferEngine<SweepJob>
  let ledger: Mutex<SweepScheduler>
  let watcher: Watcher
  /// Start time by the program's clock, which is faster than real time in some demonstrations.
  let started: Instant
  let stopwatch: Stopwatch
  /// Id of the sweep's record in the store; `nil` until the record exists.
  let id = Mutex<SweepID?>(nil)
  private let network = DispatchQueue(label: "subtop.sweep", qos: .utility)
  private let decoding = DispatchQueue(label: "subtop.sweep.decode", qos: .utility, attributes: .concurrent)
  let recording = DispatchQueue(label: "subtop.sweep.record", qos: .utility)
  private let undecoded = DispatchGroup()
  private let isInBackground = Atomic(false)

  /// - Parameters:
  ///   - serverAPI: `nil` to use verifyReceipt only.
  ///   - starter: origin of the sweep, stored with it: `dashboard`, `command line`, `demo`.
  ///   - clock: returns the time for due dates and for recording answers.
  ///   - chance: returns a random number from 0 to below 1, for the jitter of waits.
  public init(
    _ selection: SweepSelection, of store: ReceiptStore, secrets: SharedSecrets,
    serverAPI: ServerAPIAccess? = nil,
    options: SweepOptions = SweepOptions(), by starter: String = "", clock: @escaping @Sendable () -> Instant,
    chance: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) },
    watcher: @escaping Watcher = { _ in }
  ) throws(SweepError) {
    (self.selection, self.starter, self.store, self.secrets) = (selection, starter, store, secrets)
    self.serverAPI = serverAPI
    let options = options.withinOpenFiles()
    (self.options, self.clock, self.chance) = (options, clock, chance)
    ledger = Mutex(SweepScheduler(options, page: Self.page))
    self.watcher = watcher
    started = clock()
    stopwatch = Stopwatch()
    do throws(TransportError) {
      engine = try TransferEngine(queue: network, limits: options.limits, stopwatch: stopwatch)
    } catch {
      throw .transport(error.text)
    }
  }

  public func start() {
    isInBackground.store(true, ordering: .releasing)
    network.async { _ = self.sweep() }
  }

  /// Runs the sweep and waits for its end, which is also reported to the watcher.
  public func run() throws(SweepError) -> SweepSummary { try network.sync { self.sweep() }.get() }

  /// Stops the sweep within a second and commits the answers; may be called from any thread.
  public func cancel() {
    ledger.withLock { $0.end(.interrupted) }
    engine.stop()
  }

  /// Holds new requests back until `resume()`; may be called from any thread.
  public func pause() { setPaused(true) }

  public func resume() { setPaused(false) }

  /// Moves a selection to the front of the queue.
  ///
  /// No request is sent until unclaimed receipts of the selection, at most `page`, have been claimed. May be
  /// called from any thread.
  ///
  /// - Returns: `false` if the sweep is over or ending. The selection then needs another sweep.
  public func hasten(_ selection: SweepSelection) -> Bool {
    guard ledger.withLock({ $0.hasten(selection) }) else { return false }
    recording.async { self.takeFirst() }
    return true
  }

  private func setPaused(_ isPaused: Bool) {
    ledger.withLock { $0.isPaused = isPaused }
    engine.wake()
    recording.async { self.post() }
  }

  static let page = 128
  /// Maximum number of answers in a commit; a larger one would delay other writers, such as a notification
  /// that must be stored within 100 ms.
  static let commitSize = 32

  private func sweep() -> Result<SweepSummary, SweepError> {
    stepBack()
    recording.sync { begin() }
    let timer = startTimer()
    _ = engine.run(
      concurrency: options.concurrency, next: { elapsed in ledger.withLock { $0.next(at: elapsed) } },
      finish: { job, result in
        decoding.async(group: undecoded) { self.judge(job, result) }
      })
    undecoded.wait()
    timer.cancel()
    let result = recording.sync { end() }
    switch result {
    case .success(let summary): watcher(.finished(summary))
    case .failure(let error): watcher(.failed(error))
    }
    return result
  }

  /// Starts a timer that posts progress and renews the leases.
  ///
  /// Progress is posted between commits, because waits and latencies change. Without renewal, other sweeps
  /// would claim the same receipts.
  private func startTimer() -> any DispatchSourceTimer {
    // The timer uses real time, but the leases of a demonstration use the program's clock.
    let lease = min(max(options.lease / 4, 100), 15_000)
    let interval = DispatchTimeInterval.milliseconds(Int(min(lease, 200)))
    let timer = DispatchSource.makeTimerSource(queue: recording)
    timer.schedule(deadline: .now() + interval, repeating: interval)
    timer.setEventHandler { @Sendable [weak self] in
      guard let self else { return }
      if stopwatch.elapsed - ledger.withLock({ $0.renewedAt }) >= lease { keepAlive() }
      post()
    }
    timer.resume()
    return timer
  }

  /// Value for setpriority(2) that leaves a background sweep's threads about a tenth of a busy processor.
  private static let niceness: Int32 = 10

  /// Permanently lowers the current thread's priority in a background sweep.
  ///
  /// Every long task calls this, because libdispatch may use a new thread, and sets no priorities on Linux.
  func stepBack() {
    let process = __priority_which_t(PRIO_PROCESS.rawValue)
    guard isInBackground.load(ordering: .acquiring), getpriority(process, 0) < Self.niceness else { return }
    setpriority(process, 0, Self.niceness)
  }

  private func judge(_ job: SweepJob, _ result: TransferResult) {
    stepBack()
    let classification = ResponseClassification(result, in: job.context)
    let (now, elapsed) = (clock(), stopwatch.elapsed)
    let step = ledger.withLock {
      $0.judge(job, classification, now: now, elapsed: elapsed, chance: chance)
    }
    switch step {
    case .goOn: engine.wake()
    case .commit:
      recording.async { self.commit() }
      engine.wake()
    case .stop: engine.stop()
    }
  }
}
