import Dispatch
import Glibc
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
  let starter: String
  let store: ReceiptStore
  let secrets: SharedSecrets
  let serverAPI: ServerAPIAccess?
  let options: SweepOptions
  let clock: @Sendable () -> Instant
  let chance: @Sendable () -> Double
  let engine: TransferEngine<SweepJob>
  let ledger: Mutex<SweepLedger>
  let mail: SweepMail
  /// Of the receipts that are taken up.
  let contents = ByteBudget(contentBytes)
  /// Of the next commit.
  let commitSize = Mutex(CommitSize(most: page))
  /// What is to be asked about before the rest, and is not taken up yet.
  let first = Mutex<[SweepSelection]>([])
  /// What the store calls it; nil before the store has been reached.
  let id = Mutex<SweepID?>(nil)
  private let network = DispatchQueue(label: "subtop.sweep", qos: .utility)
  private let decoding = DispatchQueue(label: "subtop.sweep.decode", qos: .utility, attributes: .concurrent)
  let recording = DispatchQueue(label: "subtop.sweep.record", qos: .utility)
  private let undecoded = DispatchGroup()
  /// Whether a person has something else to do meanwhile.
  private let isInBackground = Atomic(false)

  /// - Parameters:
  ///   - serverAPI: nil asks verifyReceipt alone.
  ///   - starter: who starts it, kept with it: `dashboard`, `command line`, `demo`.
  ///   - clock: the time that receipts are due by and answers are recorded with.
  ///   - chance: a number from 0 to below 1, for the jitter of waits.
  public init(
    _ selection: SweepSelection, of store: ReceiptStore, secrets: SharedSecrets,
    serverAPI: ServerAPIAccess? = nil,
    options: SweepOptions = SweepOptions(), by starter: String = "", clock: @escaping @Sendable () -> Instant,
    chance: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) },
    watcher: @escaping Watcher = { _ in }
  ) throws(SweepError) {
    self.selection = selection
    self.starter = starter
    self.store = store
    self.secrets = secrets
    self.serverAPI = serverAPI
    let options = options.withinOpenFiles()
    self.options = options
    self.clock = clock
    self.chance = chance
    ledger = Mutex(SweepLedger(options, page: Self.page))
    let stopwatch = Stopwatch()
    mail = SweepMail(watcher: watcher, started: clock(), stopwatch: stopwatch)
    do throws(TransportError) {
      engine = try TransferEngine(queue: network, limits: options.limits, stopwatch: stopwatch)
    } catch {
      throw .transport(error.text)
    }
  }

  /// Sweeps in the background; the watcher hears of it, the end included. A sweep runs once.
  public func start() {
    isInBackground.store(true, ordering: .releasing)
    network.async { _ = self.sweep() }
  }

  /// Sweeps and waits for the end, which the watcher hears of too.
  public func run() throws(SweepError) -> SweepSummary {
    try network.sync { self.sweep() }.get()
  }

  /// Stops within a second, from any thread: what was answered is committed, the rest is as it was.
  public func cancel() {
    ledger.withLock { $0.end(.interrupted) }
    engine.stop()
  }

  /// Sends nothing more until `resume()`; what is on the wire is still taken. From any thread.
  public func pause() { setPaused(true) }

  public func resume() { setPaused(false) }

  /// Has what a selection holds asked about before the rest: what this sweep has taken up of it already, also where it waits for another
  /// try, and a page of what is free. Until that is settled nothing else is sent. From any thread.
  ///
  /// - Returns: false where the sweep is through or ending, so that it is left to another one.
  public func hasten(_ selection: SweepSelection) -> Bool {
    guard ledger.withLock({ $0.expectFirst() }) else { return false }
    first.withLock { $0.append(selection) }
    recording.async { self.takeFirst() }
    return true
  }

  private func setPaused(_ isPaused: Bool) {
    ledger.withLock { $0.isPaused = isPaused }
    engine.wake()
    recording.async { self.post(isLast: true) }
  }
}

extension Sweep {
  /// Receipts read from the store at a time, and committed at a time.
  static let page = 128
  /// Bytes of receipts in memory at which no more are taken up, and that are taken up at a time.
  static let contentBytes = 8 << 20

  private func sweep() -> Result<SweepSummary, SweepError> {
    stepBack()
    recording.sync { begin() }
    let (pulse, ticks) = (startPulse(), startTicks())
    _ = engine.run(
      concurrency: options.concurrency, next: { elapsed in ledger.withLock { $0.next(at: elapsed) } },
      finish: { job, result in
        ledger.withLock { $0.landed() }
        decoding.async(group: undecoded) { self.judge(job, result) }
      })
    undecoded.wait()
    pulse.cancel()
    ticks.cancel()
    let result = recording.sync { end() }
    mail.close()
    switch result {
    case .success(let summary): mail.watcher(.finished(summary))
    case .failure(let error): mail.watcher(.failed(error))
    }
    return result
  }

  /// Signs of life, so that other sweeps leave alone what this one has taken up.
  private func startPulse() -> any DispatchSourceTimer {
    let pulse = DispatchSource.makeTimerSource(queue: recording)
    // In real time, which a demonstration's leases are not measured in.
    let interval = DispatchTimeInterval.milliseconds(Int(min(max(options.lease / 4, 100), 15_000)))
    pulse.schedule(deadline: .now() + interval, repeating: interval)
    pulse.setEventHandler { @Sendable [weak self] in self?.keepAlive() }
    pulse.resume()
    return pulse
  }

  /// Progress, also while nothing is committed: what waits, what is in flight and how long it takes are told by it.
  private func startTicks() -> any DispatchSourceTimer {
    let ticks = DispatchSource.makeTimerSource(queue: .global(qos: .utility))
    ticks.schedule(deadline: .now() + .milliseconds(250), repeating: .milliseconds(500))
    ticks.setEventHandler { @Sendable [weak self] in self?.post() }
    ticks.resume()
    return ticks
  }

  /// Every thread that works for the sweep for long does so itself; libdispatch brings others at any time.
  func stepBack() {
    if isInBackground.load(ordering: .acquiring) { BackgroundThread.stepBack() }
  }

  private func judge(_ job: SweepJob, _ result: TransferResult) {
    stepBack()
    let classification = ResponseClassification(result, in: job.context)
    let (now, elapsed, chance) = (clock(), mail.elapsed, chance())
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

/// What a sweep in the background asks of its threads: to stand behind those that a person waits for. On Linux libdispatch
/// makes nothing of a quality of service but threads of their own for each.
enum BackgroundThread {
  /// setpriority(2): about a tenth of the processor where somebody else wants all of it.
  static let niceness: Int32 = 10

  /// Puts the calling thread behind, for good: nobody may take that back without privileges.
  static func stepBack() {
    guard getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0) < niceness else { return }
    setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, niceness)
  }
}
