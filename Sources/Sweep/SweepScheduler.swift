import ReceiptStore
import Subscriptions

/// State and counts of a running sweep, without side effects and guarded by a lock.
///
/// A receipt is claimed, ready, asked about, judged and committed. Meanwhile it may wait for another attempt
/// or be given back unchanged. Times are milliseconds since the sweep began.
struct SweepScheduler: Sendable {
  /// A result that is not committed yet.
  struct Pending: Sendable {
    enum Result: Sendable {
      case answer(Answer)
      case history(CustomerHistory)
      case later(FailedAttempt)
      /// A failure that ends further attempts.
      case believed(FailedAttempt)
    }

    var job: SweepJob
    var result: Result
    var status: Int?
    var held: [HeldBytes] = []
  }

  /// A receipt that is given back without a request.
  struct Unsendable: Sendable {
    let id: ReceiptID
    let app: BundleID?
    /// `nil` if only this receipt waits, for a key.
    let reason: StoppedApp.Reason?
  }

  enum Step { case goOn, commit, stop }

  let options: SweepOptions
  /// Maximum number of receipts in memory, from the claim to the commit.
  let window: Int

  var counts = SweepCounts()
  var tallies: [Int: StatusTally] = [:]
  var latencies = Latencies()
  var pace: Pace
  var limits: RequestLimits
  var breakers = AppBreakers<Pending>()
  var failures = FailureWindow()
  var outage: Outage
  var stop: SweepSummary.Stop?
  var failure: SweepError?
  var isPaused = false
  var lastTransportError: String?
  var reasons = FailureReasons()
  /// Finished receipts by app.
  var done: [BundleID?: Int] = [:]
  /// Customers with only an id and no key to ask with, by app.
  var waitingForKey: [BundleID?: Int] = [:]
  /// First receipts whose answers had chains left out.
  var leftOutOf: [ReceiptID] = []
  /// Instant before which the App Store wants no requests, by the program's clock.
  var notBefore: Instant?
  /// Receipts that other sweeps hold at the end.
  var held = 0
  /// Time at which the leases were last known to be this sweep's.
  var renewedAt: Int64 = 0
  var pauseReason = ""
  var inFlight = 0
  /// Transfers that have begun and are not judged yet.
  var unjudged = 0
  /// Position of the last receipt claimed, in the store's order.
  var cursor: ClaimCursor?
  /// Jobs to send, the next one last.
  var ready: [SweepJob] = []
  /// Receipts to ask about before all others, even if they wait for another attempt.
  private(set) var askedFirst: Set<ReceiptID> = []
  /// Jobs that wait for another attempt, the earliest last.
  var waiting: [(at: Int64, job: SweepJob)] = []
  var pending: [Pending] = []
  /// Receipts that the store should release.
  var returned: [ReceiptID] = []
  /// Believed failures, until further answers show whether the App Store is the cause.
  var doubted: [Pending] = []
  /// Failures from before the first connection, which are no evidence about the receipts.
  var unreached: [Pending] = []
  var isReached = false
  var isCommitting = false
  var isDrained = false
  /// Number of selections being claimed to be asked about first.
  private var hastening = 0
  /// Whether nothing more is sent.
  var isOver = false
  /// Claimed receipts that are not finished.
  var outstanding = 0

  init(_ options: SweepOptions, page: Int) {
    self.options = options
    window = max(2 * page, 4 * options.concurrency)
    pace = Pace(maximum: options.concurrency, rate: options.maximumRate)
    limits = options.requestLimits
    outage = Outage(concurrency: options.concurrency)
    isDrained = options.limit == 0
  }

  var isEnding: Bool { stop != nil || failure != nil }

  mutating func end(_ reason: SweepSummary.Stop) { stop = stop ?? reason }
  mutating func end(_ error: SweepError) { failure = failure ?? error }

  /// Reason why the sweep did not finish, including stopped apps.
  var stopped: SweepSummary.Stop? {
    if let stop { return stop }
    let reasons = breakers.stopped.map(\.reason)
    if reasons.contains(.secretRefused) { return .secretRefused }
    if reasons.contains(.keyRefused) { return .keyRefused }
    if reasons.contains(.untrusted) { return .untrusted }
    if reasons.contains(.otherApp) { return .otherApp }
    if reasons.contains(.noSecret) { return .noSecret }
    if reasons.contains(.noKey) { return .noKey }
    return reasons.isEmpty ? nil : .notOurs
  }
}

extension SweepScheduler {
  /// Returns the number of receipts to claim now, at most `page`; `nil` for none.
  func room(for page: Int) -> Int? {
    guard !isDrained, !isEnding, outstanding + page <= window else { return nil }
    let left = options.limit.map { $0 - counts.picked } ?? page
    return left > 0 ? min(page, left) : nil
  }

  var isHastening: Bool { hastening > 0 }

  /// Suspends sending until a selection to be asked about first is claimed.
  ///
  /// - Returns: `false` if the sweep is over or ending.
  mutating func expectFirst() -> Bool {
    guard !isOver, !isEnding else { return false }
    hastening += 1
    return true
  }

  /// Puts receipts first: already claimed, just claimed, or waiting for another attempt at any time.
  mutating func putFirst(
    _ jobs: [SweepJob], unsendable: [Unsendable], unaskable: [Pending], among ids: Set<ReceiptID>
  ) {
    hastening -= 1
    askedFirst.formUnion(ids)
    let old = ready.filter { ids.contains($0.receipt) }
    ready.removeAll { ids.contains($0.receipt) }
    let failed = waiting.map(\.job).filter { ids.contains($0.receipt) }
    waiting.removeAll { ids.contains($0.job.receipt) }
    // This claim does not advance the sweep's own.
    let place = (cursor, isDrained)
    take(jobs, unsendable: unsendable, unaskable: unaskable, of: nil)
    (cursor, isDrained) = (place.0, place.1 || counts.picked >= options.limit ?? .max)
    let new = ready.filter { ids.contains($0.receipt) }
    ready.removeAll { ids.contains($0.receipt) }
    ready += failed + new + old
  }

  /// - Parameter unaskable: receipts without anything to ask with, as failures to record.
  mutating func take(
    _ jobs: [SweepJob], unsendable: [Unsendable], unaskable: [Pending] = [], of claim: Claim?
  ) {
    for receipt in unsendable {
      if let reason = receipt.reason {
        breakers.stop(receipt.app, because: reason)
      } else {
        waitingForKey[receipt.app, default: 0] += 1
      }
    }
    let (stopped, sendable) = jobs.partitioned { breakers.isStopped($0.app) }
    ready.insert(contentsOf: sendable.reversed(), at: 0)
    counts.picked += jobs.count + unsendable.count + unaskable.count
    outstanding += sendable.count + unaskable.count
    pending += unaskable
    giveBack(stopped.map(\.receipt) + unsendable.map(\.id))
    cursor = claim?.cursor ?? cursor
    isDrained = claim?.isLast ?? false || counts.picked >= options.limit ?? .max
  }

  /// Stops the apps whose customers have only ids and whose key is missing.
  ///
  /// - Parameter contents: what the store has to ask with.
  mutating func stopAppsWithIDsAlone(_ contents: [AskableContents]) {
    for app in waitingForKey.keys where !contents.hasReceipt(of: app) {
      breakers.stop(app, because: .noKey)
    }
  }

  mutating func giveBack(_ receipts: [ReceiptID]) {
    returned += receipts
    counts.givenBack += receipts.count
  }
}

extension Array {
  fileprivate func partitioned(_ isFirst: (Element) -> Bool) -> ([Element], [Element]) {
    (filter(isFirst), filter { !isFirst($0) })
  }
}

extension SweepScheduler {
  mutating func next(at elapsed: Int64) -> TransferEngine<SweepJob>.Supply {
    if isEnding || isThrough {
      isOver = true
      return .exhausted
    }
    if isPaused || isHastening || isCutOff(at: elapsed) { return .later(until: nil) }
    while let first = waiting.last, first.at <= elapsed {
      putNext(first.job)
      waiting.removeLast()
    }
    var until = waiting.last?.at
    let index = ready.indices.last { index in
      guard breakers.mayBegin(ready[index].app) else { return false }
      guard let wait = ready[index].limited.flatMap({ limits.wait(for: $0, at: elapsed) }) else {
        return true
      }
      until = min(until ?? wait, wait)
      return false
    }
    guard let index else { return .later(until: until) }
    // Counts answers that are not judged yet, since one may ask for a pause.
    switch pace.mayBegin(inFlight: unjudged, at: elapsed) {
    case .yes: break
    case .notBefore(let instant): return .later(until: instant)
    case .whenOneEnds: return .later(until: nil)
    }
    let job = ready.remove(at: index)
    inFlight += 1
    unjudged += 1
    breakers.begin(job.app)
    if let subject = job.limited { limits.begin(subject, at: elapsed) }
    guard let transfer = job.transfer(options) else {
      end(.transport("no token for the Server API could be signed"))
      return .exhausted
    }
    return .transfer(transfer, job)
  }

  /// Whether the store has not been written for so long that other sweeps may have claimed the receipts.
  func isCutOff(at elapsed: Int64) -> Bool { elapsed - renewedAt >= options.lease / 4 * 3 }

  /// Records that the leases are this sweep's again, and drops receipts that it lost.
  ///
  /// - Parameter kept: receipts that no other sweep claimed.
  mutating func renew(at elapsed: Int64, kept: Set<ReceiptID>) {
    defer { renewedAt = max(renewedAt, elapsed) }
    guard elapsed - renewedAt >= options.lease else { return }
    let lost = (ready + waiting.map(\.job)).map(\.receipt).filter { !kept.contains($0) }
    ready.removeAll { !kept.contains($0.receipt) }
    waiting.removeAll { !kept.contains($0.job.receipt) }
    outstanding -= lost.count
    counts.givenBack += lost.count
  }

  /// Whether nothing is left to ask about and nothing in progress can add more.
  private var isThrough: Bool {
    isDrained && !isHastening && ready.isEmpty && waiting.isEmpty && unjudged == 0
  }

  mutating func landed() { inFlight -= 1 }

  /// Inserts a job before the others, but after those asked about first.
  mutating func putNext(_ job: SweepJob) {
    let place =
      askedFirst.contains(job.receipt)
      ? ready.endIndex : ready.lastIndex { !askedFirst.contains($0.receipt) }.map { $0 + 1 } ?? 0
    ready.insert(job, at: place)
  }

  mutating func wait(_ job: SweepJob, until instant: Int64) {
    let place = waiting.firstIndex { $0.at < instant } ?? waiting.endIndex
    waiting.insert((instant, job), at: place)
  }

  /// Gives back the receipts of a stopped app that are still to be sent.
  mutating func drop(_ app: BundleID?) {
    let dropped = ready.filter { $0.app == app } + waiting.lazy.map(\.job).filter { $0.app == app }
    ready.removeAll { $0.app == app }
    waiting.removeAll { $0.job.app == app }
    outstanding -= dropped.count
    giveBack(dropped.map(\.receipt))
  }
}
