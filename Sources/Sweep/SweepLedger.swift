import ReceiptStore
import Subscriptions

/// Where every receipt of a running sweep is, and what has been counted. Pure; a lock guards it.
struct SweepLedger: Sendable {
  /// What has come back and is not committed yet.
  struct Pending: Sendable {
    var job: SweepJob
    var finding: Finding
    var status: Int?
  }

  /// What the caller has to do about a judgement.
  enum Step { case nothing, ask, commit, stop }

  /// Receipts in memory at the most, from the store's reading to the commit: what waits cannot grow.
  let window: Int
  /// Receipts to take up at the most.
  let limit: Int?
  /// How many of the first transfers must find nobody before the App Store is called unreachable.
  static let patience = 5

  private(set) var counts = SweepCounts()
  private(set) var stop: SweepSummary.Stop?
  private(set) var failure: SweepError?
  private(set) var inFlight = 0
  /// The last receipt read from the store, which gives them in this order.
  private(set) var cursor: ReceiptID?
  /// Last comes first.
  private var ready: [SweepJob] = []
  private var pending: [Pending] = []
  private var isCommitting = false
  private var isDrained = false
  /// Receipts taken up and not yet done.
  private var outstanding = 0
  /// Judged before anybody had been reached at all: kept back, since nothing was learned of these receipts.
  private var unreached: [Pending] = []
  private var isReached = false

  init(window: Int, limit: Int?) {
    self.window = window
    self.limit = limit
    isDrained = limit == 0
  }

  var isEnding: Bool { stop != nil || failure != nil }

  mutating func end(_ reason: SweepSummary.Stop) { stop = stop ?? reason }
  mutating func end(_ error: SweepError) { failure = failure ?? error }
}

extension SweepLedger {
  /// How many receipts to read from the store now, `page` at the most; nil for none.
  func room(for page: Int) -> Int? {
    guard !isDrained, !isEnding, outstanding + page <= window else { return nil }
    return min(page, limit.map { $0 - counts.picked } ?? page)
  }

  /// - Parameter isLast: whether the store has no more.
  mutating func take(_ jobs: [SweepJob], isLast: Bool) {
    ready.insert(contentsOf: jobs.reversed(), at: 0)
    counts.picked += jobs.count
    outstanding += jobs.count
    cursor = jobs.last?.receipt ?? cursor
    isDrained = isLast || counts.picked == limit
  }

  mutating func next(_ options: SweepOptions) -> TransferEngine<SweepJob>.Supply {
    if isEnding || (isDrained && outstanding == 0) { return .exhausted }
    guard let job = ready.popLast() else { return .later }
    inFlight += 1
    return .transfer(Transfer(to: options.endpoint(of: job.context.asked), body: job.body), job)
  }

  mutating func landed() { inFlight -= 1 }
}

extension SweepLedger {
  mutating func judge(_ job: SweepJob, _ judgement: Judgement) -> Step {
    count(judgement)
    switch judgement.outcome {
    case .secretRefused:
      isReached = true
      end(.secretRefused)
      return .stop
    case .elsewhere(let environment):
      isReached = true
      counts.rerouted += 1
      ready.append(job.rerouted(to: environment))
      return .ask
    case .found(let finding):
      let entry = Pending(job: job, finding: finding, status: judgement.status)
      if judgement.transport?.isUnreachable == true, !isReached { return keepBack(entry) }
      isReached = true
      pending += unreached + [entry]
      unreached = []
      return commitOnce()
    }
  }

  private mutating func keepBack(_ entry: Pending) -> Step {
    unreached.append(entry)
    guard unreached.count >= Self.patience || (isDrained && unreached.count == outstanding) else {
      return .nothing
    }
    end(.unreachable)
    return .stop
  }

  private mutating func count(_ judgement: Judgement) {
    if let http = judgement.http { counts.http[http, default: 0] += 1 }
    if let status = judgement.status { counts.byStatus[status, default: 0] += 1 }
    if judgement.transport != nil { counts.transportErrors += 1 }
  }

  private mutating func commitOnce() -> Step {
    guard !isCommitting else { return .nothing }
    isCommitting = true
    return .commit
  }
}

extension SweepLedger {
  /// The next entries to commit; none ends the committing, until another comes.
  mutating func batch(_ size: Int) -> [Pending] {
    if case .store = failure { pending = [] }
    let batch = Array(pending.prefix(size))
    pending.removeFirst(batch.count)
    isCommitting = !batch.isEmpty
    return batch
  }

  mutating func committed(_ batch: [Pending], as recorded: [RecordedOutcome]) {
    outstanding -= batch.count
    for (entry, outcome) in zip(batch, recorded) {
      switch outcome {
      case .unchanged:
        counts.validated += 1
        counts.unchanged += 1
      case .changed(let newTransactions):
        counts.validated += 1
        counts.changed += 1
        counts.newTransactions += newTransactions
      case .refused: counts.rejected += 1
      case .noted:
        if case .later = entry.finding { counts.retryLater += 1 } else { counts.rejected += 1 }
      }
    }
  }
}
