import Subscriptions

extension Sample {
  static let app = BundleID("com.example.pro")
  static let otherApp = BundleID("com.example.lite")

  static var queue: QueueReport {
    var queue = QueueReport(asOfMs: now)
    queue.due = 134
    queue.overdueByAge = zip(QueueReport.AgeBucket.bounds, [96, 31, 0, 5, 2]).map {
      QueueReport.AgeBucket(fromMs: $0, count: $1)
    }
    queue.retrying = 12
    queue.nextRetryAtMs = now + 4 * Milliseconds.minute
    queue.dead = [
      QueueReport.DeadReason(
        reason: "Apple says that it is not authentic (21003).", count: 2, exampleReceipt: receipt(611)),
      QueueReport.DeadReason(
        reason: "Ten tries in 3 d failed, the last with HTTP 503.", count: 1, exampleReceipt: receipt(1907)),
    ]
    queue.next24h = [
      12, 9, 4, 0, 0, 31, 44, 58, 61, 77, 120, 131, 98, 64, 52, 40, 33, 21, 20, 14, 8, 3, 1, 6,
    ]
    queue.later = 1369
    queue.policy = [
      DuePolicy.Cost(rule: .aroundExpiry, lines: 2134, requestsPerDay: 571.4),
      DuePolicy.Cost(rule: .trial, lines: 214, requestsPerDay: 225.3),
      DuePolicy.Cost(rule: .active, lines: 1868, requestsPerDay: 280.9),
      DuePolicy.Cost(rule: .overdue, lines: 3, requestsPerDay: 75.8),
      DuePolicy.Cost(rule: .grace, lines: 52, requestsPerDay: 218.9),
      DuePolicy.Cost(rule: .billingRetry, lines: 44, requestsPerDay: 46.3),
      DuePolicy.Cost(rule: .lapsed, lines: 131, requestsPerDay: 19.7),
      DuePolicy.Cost(rule: .longLapsed, lines: 207, requestsPerDay: 7.3),
    ]
    queue.freshness = QueueReport.AgeQuantiles(
      p50: 5 * Milliseconds.hour, p95: 22 * Milliseconds.hour, max: 6 * Milliseconds.day,
      within24h: 0.971)
    queue.detectionLag = [
      QueueReport.DetectionLag(
        type: "RENEWAL", count: 1204, p50: 61 * Milliseconds.minute, p95: 7 * Milliseconds.hour),
      QueueReport.DetectionLag(
        type: "CANCELLATION", count: 131, p50: 30 * Milliseconds.hour, p95: 6 * Milliseconds.day),
      QueueReport.DetectionLag(
        type: "EXPIRATION", count: 97, p50: 64 * Milliseconds.minute, p95: 25 * Milliseconds.hour),
      QueueReport.DetectionLag(
        type: "BILLING_ISSUE", count: 61, p50: 66 * Milliseconds.minute, p95: 6 * Milliseconds.hour),
    ]
    queue.statuses = tallies([(0, 2398, 41), (21003, 2, 611), (21005, 12, 77)], ago: 3 * Milliseconds.hour)
    queue.sweeps = [
      record(4, by: "dashboard", "due", ago: 3), record(3, by: "command line", "all", ago: 27),
      record(2, by: "command line", "due", ago: 51, stopped: "interrupted"),
      record(
        1, by: "command line", "due", ago: 75, failure: "Writing to the store: the disk is full. Free some."),
    ]
    return queue
  }

  static var sharedQueue: QueueReport {
    var queue = queue
    queue.leased = 128
    queue.sweeps.insert(record(5, by: "command line", "due", ago: 0, state: .running), at: 0)
    return queue
  }

  static var unsweptQueue: QueueReport {
    var queue = QueueReport(asOfMs: now)
    queue.due = 2412
    queue.overdueByAge = [QueueReport.AgeBucket(fromMs: 0, count: 2412)]
    queue.next24h = [Int](repeating: 0, count: 24)
    return queue
  }

  static func receipt(_ id: Int64) -> ReceiptID { ReceiptID(rawValue: id) }

  static func tallies(_ counts: [(Int, Int, Int64)], ago: Int64) -> [StatusTally] {
    counts.map { status, count, example in
      StatusTally(
        status: status, count: count, lastSeenAtMs: now - ago, exampleReceipt: receipt(example))
    }
  }

  static func record(
    _ id: Int64, by starter: String, _ selection: String, ago hours: Int64, stopped: String? = nil,
    failure: String? = nil, state: SweepRecord.State = .finished
  ) -> SweepRecord {
    var record = SweepRecord(
      id: SweepID(rawValue: id), state: state, startedAtMs: now - hours * Milliseconds.hour,
      selection: selection, startedBy: starter)
    record.lastSeenAtMs = state == .running ? now - 4000 : record.startedAtMs + 8200
    record.finishedAtMs = state == .finished ? record.lastSeenAtMs : nil
    record.picked = failure == nil ? 2412 : 0
    record.validated = failure == nil ? 2398 : 0
    record.unchanged = failure == nil ? 2195 : 0
    record.changed = failure == nil ? 203 : 0
    record.newTransactions = 241
    record.renewals = 187
    record.refunds = 3
    record.stateChanges = 44
    record.retryLater = 12
    record.rejected = 2
    record.latencyMs = LatencyQuantiles(p50: 84.2, p95: 231.9)
    record.statuses = tallies(
      [(0, 2398, 41), (21003, 2, 611), (21005, 12, 77)], ago: hours * Milliseconds.hour)
    record.stopped = stopped
    record.failure = failure
    return record
  }

  /// Sweeps with no receipt left for later, with stopped apps, and without a connection.
  static var endedEarly: [SweepRecord] {
    var whole = record(13, by: "demo", "due", ago: 99)
    whole.retryLater = 0
    var refused = record(12, by: "dashboard", "all", ago: 123, stopped: "secret_refused")
    refused.stoppedApps = [
      StoppedApp(bundleID: otherApp, reason: .secretRefused), StoppedApp(bundleID: app, reason: .noSecret),
    ]
    var unreached = record(11, by: "dashboard", "all", ago: 147, stopped: "unreachable")
    unreached.lastTransportError = "Couldn't connect to server"
    return [whole, refused, unreached]
  }

  static func progress(
    _ activity: SweepProgress.Activity, stoppedApps: [StoppedApp] = [], done: Int = 1604
  ) -> SweepProgress {
    var progress = progress(done: done, elapsed: 12_000)
    progress.activity = activity
    progress.inFlight = activity == .paused ? 0 : 48
    progress.concurrency = 48
    progress.maximumConcurrency = 64
    progress.rateLimit = 500
    progress.waitingForRetry = 3
    progress.latency = LatencyQuantiles(p50: 82.4, p95: 1431)
    progress.stoppedApps = stoppedApps
    progress.counts.news = AnswerNews(newTransactions: 151, renewals: 120, refunds: 2, stateChanges: 31)
    progress.counts.retried = 17
    progress.counts.rerouted = 12
    progress.counts.givenBack = stoppedApps.isEmpty ? 0 : 208
    progress.counts.http = [200: done + 12, 429: 2, 503: 6]
    progress.counts.transportErrors = 4
    progress.statuses = tallies(
      [(0, done - 1, 41), (21005, 9, 77), (21007, 12, 903)] + (stoppedApps.isEmpty ? [] : [(21004, 3, 2001)]),
      ago: 2000)
    return progress
  }

  static func wholeSummary(
    _ stopped: SweepSummary.Stop? = nil, stoppedApps: [StoppedApp] = []
  ) -> SweepSummary {
    var summary = summary(stopped)
    summary.counts.news = AnswerNews(newTransactions: 241, renewals: 187, refunds: 3, stateChanges: 44)
    summary.counts.retried = 17
    summary.counts.http = [200: 2430, 503: 9]
    summary.counts.transportErrors = 4
    summary.latency = LatencyQuantiles(p50: 84.2, p95: 231.9)
    summary.statuses = tallies(
      [(0, 2398, 41), (21003, 2, 611), (21005, 12, 77), (21007, 18, 903)], ago: 1000)
    summary.stoppedApps = stoppedApps
    summary.counts.givenBack = stoppedApps.isEmpty ? 0 : 208
    return summary
  }
}
