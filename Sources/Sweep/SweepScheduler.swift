import ReceiptStore
import Subscriptions

/// State and counts of a running sweep, without side effects; `Sweep` protects it with a lock.
///
/// A claimed receipt is in the queue until its request is sent, and again before another attempt. A failure
/// stays undecided until it is clear whether its cause is the receipt. A result is pending until it is
/// committed. Times are milliseconds since the sweep began.
struct SweepScheduler: Sendable {
  struct Pending: Sendable {
    let outcome: ReceiptOutcome
    let app: BundleID?
    /// Bytes of the receipt's answers; 0 for a failure.
    let size: Int

    init(_ job: SweepJob, _ result: ReceiptOutcome.Result, size: Int = 0) {
      outcome = ReceiptOutcome(receipt: job.receipt, result: result, isLatestRefused: job.isLatestRefused)
      (app, self.size) = (job.app, size)
    }
  }

  struct Undecided: Sendable {
    let doubt: Doubt
    let job: SweepJob
    let failing: FailedAttempt
    let status: Int?
  }

  enum Doubt {
    /// Apple may have refused the app's secret or key, or only this receipt.
    case ofApp
    /// No request has reached an App Store yet.
    case ofConnection
    /// There are too few results to distinguish a bad receipt from a failure of the App Store.
    case ofVerdict
  }

  enum Step { case goOn, commit, stop }

  let options: SweepOptions
  /// Maximum number of receipts in memory, from the claim to the commit; hastened ones may exceed it.
  let window: Int

  /// Number of receipts to sweep, estimated at the start.
  var total = 0
  var counts = SweepCounts()
  var tallies: [Int: StatusTally] = [:]
  /// Status of each receipt's last answer until it is counted: at the commit, another attempt, or the end.
  var uncounted: [ReceiptID: (status: Int, at: Instant)] = [:]
  var latencies = Latencies()
  var pace: Pace
  var limits: RequestLimits
  var breakers = AppBreakers()
  var health: AppStoreHealth
  var stop: SweepSummary.Stop?
  var failure: SweepError?
  var isPaused = false
  var lastTransportError: String?
  var reasons: [String: Int] = [:]
  /// Customers by app that cannot be checked: only an id is known, and the app has no Server API key.
  var waitingForKey: [BundleID?: Int] = [:]
  var leftOutOf: [ReceiptID] = []
  /// Instant, by the program's clock, before which no request may be sent, set by `Retry-After`.
  var notBefore: Instant?
  var pauseReason = ""
  /// Time at which this sweep was last known to hold its leases, in milliseconds since the sweep started.
  private(set) var renewedAt: Int64 = 0
  /// Number of transfers that have begun and are not judged yet.
  var inFlight = 0
  private(set) var cursor: ClaimCursor?
  /// Jobs to send, the next one at the end; some wait for the time of another attempt.
  private(set) var queue: [SweepJob] = []
  var undecided: [Undecided] = []
  var pending: [Pending] = []
  /// Bytes of the answers in `pending` and in the running commit.
  var uncommittedBytes = 0
  var isCommitting = false
  private var isDrained: Bool
  /// Selections to claim and put at the front of the queue; no request is sent until they are claimed.
  private(set) var hastened: [SweepSelection] = []
  private var isOver = false
  /// Number of claimed receipts that are not finished.
  var outstanding = 0

  init(_ options: SweepOptions, page: Int) {
    self.options = options
    window = max(2 * page, 4 * options.concurrency)
    pace = Pace(maximum: options.concurrency, rate: options.maximumRate)
    limits = options.requestLimits
    health = AppStoreHealth(concurrency: options.concurrency)
    isDrained = options.limit == 0
  }

  var isEnding: Bool { stop != nil || failure != nil }

  mutating func end(_ reason: SweepSummary.Stop) { stop = stop ?? reason }
  mutating func end(_ error: SweepError) { failure = failure ?? error }

  /// Reason why the sweep did not finish, including stopped apps.
  var stopped: SweepSummary.Stop? {
    let reasons = breakers.stopped.map(\.reason)
    let order: [StoppedApp.Reason] = [
      .secretRefused, .keyRefused, .untrusted, .otherApp, .noSecret, .noKey, .notOurs,
    ]
    return stop ?? order.first(where: reasons.contains)
  }

  /// Returns the number of receipts to claim now, at most `page`; `nil` if none may be claimed.
  func room(for page: Int) -> Int? {
    guard !isDrained, !isEnding, outstanding + page <= window,
      queue.reduce(0, { $0 + $1.size }) < options.bytesInMemory
    else { return nil }
    let left = options.limit.map { $0 - counts.picked } ?? page
    return left > 0 ? min(page, left) : nil
  }

  mutating func hasten(_ selection: SweepSelection) -> Bool {
    guard !isOver, !isEnding else { return false }
    hastened.append(selection)
    return true
  }

  /// Moves the receipts of the first hastened selection to the front of the queue, and ends their waits.
  mutating func putFirst(_ receipts: [ClaimedReceipt], among ids: Set<ReceiptID>) {
    hastened.removeFirst()
    total += receipts.count
    take(receipts)
    for index in queue.indices where ids.contains(queue[index].receipt) {
      queue[index].isUrgent = true
      queue[index].notBefore = nil
    }
    queue = queue.filter { !$0.isUrgent } + queue.filter(\.isUrgent)
  }

  mutating func take(_ claim: Claim, _ receipts: [ClaimedReceipt]) {
    take(receipts)
    cursor = claim.cursor ?? cursor
    isDrained = isDrained || claim.isLast
  }

  private mutating func take(_ receipts: [ClaimedReceipt]) {
    var jobs: [SweepJob] = []
    for receipt in receipts {
      switch receipt {
      case .askable(let job): jobs.append(job)
      case .ofStoppedApp(let app, let reason):
        breakers.stop(app, because: reason)
        counts.givenBack += 1
      case .waitingForKey(let app):
        waitingForKey[app, default: 0] += 1
        counts.givenBack += 1
      case .unaskable(let job):
        pending.append(Pending(job, .rejected(status: nil, reason: ClaimedReceipt.nothingToAskWith)))
        outstanding += 1
      }
    }
    counts.picked += receipts.count
    outstanding += jobs.count
    queue.insert(contentsOf: jobs.reversed(), at: 0)
    for app in Set(jobs.map(\.app)) where breakers.isStopped(app) { drop { $0.app == app } }
    isDrained = isDrained || counts.picked >= options.limit ?? .max
  }

  /// Stops apps that have no key and no receipts, but only customers known by an id.
  mutating func stopAppsWithIDsAlone(_ contents: [AskableContents]) {
    for app in waitingForKey.keys where !contents.hasReceipt(of: app) { breakers.stop(app, because: .noKey) }
  }

  mutating func next(at elapsed: Int64) -> TransferEngine<SweepJob>.Supply {
    let isThrough = isDrained && hastened.isEmpty && queue.isEmpty && inFlight == 0
    if isEnding || isThrough {
      isOver = true
      return .exhausted
    }
    if isPaused || !hastened.isEmpty || isCutOff(at: elapsed) || uncommittedBytes >= options.bytesInMemory {
      return .later(until: nil)
    }
    var until: Int64?
    let index = queue.lastIndex { job in
      guard breakers.mayBegin(job.app) else { return false }
      let wait =
        job.notBefore.flatMap { $0 > elapsed ? $0 : nil }
        ?? job.limited.flatMap { limits.wait(for: $0, at: elapsed) }
      if let wait { until = min(until ?? wait, wait) }
      return wait == nil
    }
    guard let index else { return .later(until: until) }
    // `inFlight` includes answers that are not judged yet, because such an answer may request a pause.
    switch pace.mayBegin(inFlight: inFlight, at: elapsed) {
    case .yes: break
    case .notBefore(let instant): return .later(until: instant)
    case .whenOneEnds: return .later(until: nil)
    }
    let job = queue.remove(at: index)
    inFlight += 1
    breakers.begin(job.app)
    if let subject = job.limited { limits.begin(subject, at: elapsed) }
    guard let transfer = job.transfer(options) else {
      end(.transport("cannot sign a token for the Server API"))
      return .exhausted
    }
    return .transfer(transfer, job)
  }

  /// Whether the leases were not renewed for so long that other sweeps may claim the receipts soon.
  func isCutOff(at elapsed: Int64) -> Bool { elapsed - renewedAt >= options.lease / 4 * 3 }

  /// Records that the leases were renewed; if they had expired, drops the receipts that are not in `kept`.
  mutating func renew(at elapsed: Int64, kept: Set<ReceiptID>) {
    if elapsed - renewedAt >= options.lease { drop { !kept.contains($0.receipt) } }
    renewedAt = max(renewedAt, elapsed)
  }

  /// Inserts a job at the front of the queue, but behind urgent jobs unless it is urgent itself.
  mutating func requeue(_ job: SweepJob, notBefore: Int64? = nil) {
    countStatus(of: job.receipt)
    var job = job
    job.notBefore = notBefore
    let place =
      job.isUrgent ? queue.endIndex : queue.lastIndex { !$0.isUrgent }.map { $0 + 1 } ?? queue.startIndex
    queue.insert(job, at: place)
  }

  mutating func drop(where isDropped: (SweepJob) -> Bool) {
    let count = queue.count
    queue.removeAll(where: isDropped)
    giveBack(count - queue.count)
  }

  mutating func giveBack(_ count: Int) {
    outstanding -= count
    counts.givenBack += count
  }
}
