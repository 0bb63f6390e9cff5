import ReceiptStore
import Subscriptions

/// Where every receipt of a running sweep is, and what has been counted. Pure; a lock guards it.
///
/// A receipt is taken up, ready, asked about, judged and committed; on the way it may wait for another try, or be given
/// back untouched. Times are milliseconds since the sweep began.
struct SweepLedger: Sendable {
  /// What has come back and is not committed yet.
  struct Pending: Sendable {
    enum Result: Sendable {
      case answer(Answer)
      case history(CustomerHistory)
      case later(FailedAttempt)
      /// Asking again will not help.
      case believed(FailedAttempt)
    }

    var job: SweepJob
    var result: Result
    var status: Int?
    /// What an answer takes of the budget until it is committed.
    var held: [HeldBytes] = []
  }

  /// A receipt that is given back without having been sent.
  struct Unsendable: Sendable {
    let id: ReceiptID
    let app: BundleID?
    /// Nil where this one alone waits, for a key.
    let reason: StoppedApp.Reason?
  }

  /// What the caller has to do about a classification.
  enum Step { case goOn, commit, stop }

  let options: SweepOptions
  /// Receipts in memory at the most, from the store's reading to the commit: what waits cannot grow.
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
  /// What the last transfer without an answer said.
  var lastTransportError: String?
  /// Why receipts were left for a later try.
  var reasons = FailureReasons()
  /// Receipts that it is through with, by app.
  var done: [BundleID?: Int] = [:]
  /// Customers of whom there is an id alone, and no key to ask with, by app.
  var waitingForKey: [BundleID?: Int] = [:]
  /// The first receipts of whose answers chains were left out.
  var leftOutOf: [ReceiptID] = []
  /// Until when the App Store asked to be left alone, by the program's clock.
  var notBefore: Instant?
  /// Receipts that other sweeps have at the end.
  var held = 0
  /// When the leases were last known to be this sweep's.
  var renewedAt: Int64 = 0
  /// Why nobody is asked for the time being.
  var pauseReason = ""
  /// Transfers on the wire.
  var inFlight = 0
  /// Transfers begun and not judged yet.
  var unjudged = 0
  /// The last receipt read from the store, which gives them in an order.
  var cursor: ClaimCursor?
  /// The next one last.
  var ready: [SweepJob] = []
  /// What somebody asked to come before the rest, also where it waits for its next try.
  private(set) var askedFirst: Set<ReceiptID> = []
  /// To be asked about again, the soonest last.
  var waiting: [(at: Int64, job: SweepJob)] = []
  var pending: [Pending] = []
  /// To be given back to the store.
  var returned: [ReceiptID] = []
  /// Believed, but for what the answers to come may tell of the App Store.
  var doubted: [Pending] = []
  /// Judged before anybody had been reached at all: kept back, since nothing was learned of these receipts.
  var unreached: [Pending] = []
  var isReached = false
  var isCommitting = false
  var isDrained = false
  /// Selections that are being taken up to be asked about before the rest.
  private var hastening = 0
  /// Whether nothing is sent any more, for good.
  var isOver = false
  /// Receipts taken up and not yet done.
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

  /// Why the sweep was not through with everything, breakers included.
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

extension SweepLedger {
  /// How many receipts to take from the store now, `page` at the most; nil for none.
  func room(for page: Int) -> Int? {
    guard !isDrained, !isEnding, outstanding + page <= window else { return nil }
    let left = options.limit.map { $0 - counts.picked } ?? page
    return left > 0 ? min(page, left) : nil
  }

  var isHastening: Bool { hastening > 0 }

  /// Waits for a selection that is to be asked about first.
  ///
  /// - Returns: whether that is possible still.
  mutating func expectFirst() -> Bool {
    guard !isOver, !isEnding else { return false }
    hastening += 1
    return true
  }

  /// Puts receipts first in line: those that the sweep has had already, those that were just taken up for it, and those that
  /// wait for another try, whose time need not have come.
  mutating func putFirst(
    _ jobs: [SweepJob], unsendable: [Unsendable], unaskable: [Pending], among ids: Set<ReceiptID>
  ) {
    hastening -= 1
    askedFirst.formUnion(ids)
    let old = ready.filter { ids.contains($0.receipt) }
    ready.removeAll { ids.contains($0.receipt) }
    let failed = waiting.map(\.job).filter { ids.contains($0.receipt) }
    waiting.removeAll { ids.contains($0.job.receipt) }
    // What a claim in the sweep's order has come to stays as it is.
    let place = (cursor, isDrained)
    take(jobs, unsendable: unsendable, unaskable: unaskable, of: nil)
    (cursor, isDrained) = (place.0, place.1 || counts.picked >= options.limit ?? .max)
    let new = ready.filter { ids.contains($0.receipt) }
    ready.removeAll { ids.contains($0.receipt) }
    ready += failed + new + old
  }

  /// - Parameter unaskable: those that there is nothing to ask with, as failures to be recorded.
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

  /// - Parameter contents: what there is in the store to ask with.
  mutating func stopAppsWithIDsAlone(_ contents: [AskableContents]) {
    for app in waitingForKey.keys where !contents.hasReceipt(of: app) {
      breakers.stop(app, because: .noKey)
    }
  }

  /// Receipts that leave the sweep as they came.
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

extension SweepLedger {
  /// What to send next.
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
    // What has landed counts until it is judged: it may be the answer that asks for time.
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

  /// Whether the leases may be out, since the store could not be written for so long: what they were for may be another
  /// sweep's by now.
  func isCutOff(at elapsed: Int64) -> Bool { elapsed - renewedAt >= options.lease / 4 * 3 }

  /// The leases are this sweep's again.
  ///
  /// - Parameter kept: the receipts that nobody took meanwhile.
  mutating func renew(at elapsed: Int64, kept: Set<ReceiptID>) {
    defer { renewedAt = max(renewedAt, elapsed) }
    guard elapsed - renewedAt >= options.lease else { return }
    let lost = (ready + waiting.map(\.job)).map(\.receipt).filter { !kept.contains($0) }
    ready.removeAll { !kept.contains($0.receipt) }
    waiting.removeAll { !kept.contains($0.job.receipt) }
    outstanding -= lost.count
    counts.givenBack += lost.count
  }

  /// Nothing is left to be asked, and nothing under way that could bring more.
  private var isThrough: Bool {
    isDrained && !isHastening && ready.isEmpty && waiting.isEmpty && unjudged == 0
  }

  mutating func landed() { inFlight -= 1 }

  /// Puts a receipt before the rest, but behind those that somebody asked for.
  mutating func putNext(_ job: SweepJob) {
    let place =
      askedFirst.contains(job.receipt)
      ? ready.endIndex : ready.lastIndex { !askedFirst.contains($0.receipt) }.map { $0 + 1 } ?? 0
    ready.insert(job, at: place)
  }

  /// Puts a receipt off until later in the sweep.
  mutating func wait(_ job: SweepJob, until instant: Int64) {
    let place = waiting.firstIndex { $0.at < instant } ?? waiting.endIndex
    waiting.insert((instant, job), at: place)
  }

  /// Takes the receipts of an app that was stopped out of what is still to be sent.
  mutating func drop(_ app: BundleID?) {
    let dropped = ready.filter { $0.app == app } + waiting.lazy.map(\.job).filter { $0.app == app }
    ready.removeAll { $0.app == app }
    waiting.removeAll { $0.job.app == app }
    outstanding -= dropped.count
    giveBack(dropped.map(\.receipt))
  }
}
