import ReceiptStore
import Subscriptions

extension SweepScheduler {
  static let mostNamed = 10
  /// Maximum number of failure reasons counted separately, since some contain text from the server.
  static let mostReasons = 100
  /// Maximum `Retry-After` that a sweep waits for, in milliseconds; a longer one ends the sweep.
  static let longestPause = 2 * Milliseconds.minute
  /// Maximum milliseconds that other sweeps wait because of `Retry-After`; a larger value may be an error.
  static let longestSilence = Milliseconds.hour

  mutating func judge(
    _ job: SweepJob, _ classification: ResponseClassification, now: Instant, elapsed: Int64,
    chance: () -> Double
  ) -> Step {
    inFlight -= 1
    breakers.land(job.app)
    count(job, classification, at: now)
    if let original = job.original(after: classification.outcome) {
      succeed(classification, at: elapsed)
      requeue(original)
    } else if case .failed(let failing) = classification.outcome {
      fail(job, classification, failing, now: now, elapsed: elapsed, chance: chance)
    } else {
      succeed(classification, at: elapsed)
      take(job, classification)
    }
    decide(now: now, chance: chance)
    if breakers.isStopped(job.app) { drop { $0.app == job.app } }
    if isEnding { return .stop }
    return beginCommitting() ? .commit : .goOn
  }

  private mutating func succeed(_ classification: ResponseClassification, at elapsed: Int64) {
    health.answer(at: elapsed)
    if classification.latency != nil { pace.take(isAnswered: true) }
  }

  private mutating func take(_ job: SweepJob, _ classification: ResponseClassification) {
    switch classification.outcome {
    case .failed: break
    case .secretRefused:
      refuse(job, classification, "21004: the shared secret does not match", .secretRefused)
    case .keyRefused(let ahead):
      let key = job.context.questions.map {
        StoppedApp.RefusedKey(keyID: $0.key.keyID, clockAheadMs: ahead)
      }
      refuse(job, classification, "HTTP 401: the Server API key was refused", .keyRefused, key: key)
    case .unfinished:
      breakers.accept(job.app, isSigned: classification.questions?.isSigned == true)
      requeue(classification.questions.map(job.continued) ?? job)
    case .history(let history):
      health.take(nil)
      breakers.accept(job.app, isSigned: !history.rows.isEmpty)
      keep(job, .signed(history, isPartial: job.isPartial), size: classification.size)
    case .answer(let answer):
      health.take(nil)
      breakers.accept(job.app, isSigned: false)
      keep(
        job, .answered(answer, status: classification.status ?? 0, isPartial: job.isPartial),
        size: classification.size)
    case .elsewhere(let environment):
      if !job.hasMoved { counts.rerouted += 1 }
      requeue(job.rerouted(to: environment))
    }
  }

  private mutating func refuse(
    _ job: SweepJob, _ classification: ResponseClassification, _ text: String, _ reason: StoppedApp.Reason,
    key: StoppedApp.RefusedKey? = nil
  ) {
    breakers.fail(StoppedApp(bundleID: job.app, reason: reason, refusedKey: key))
    undecided.append(
      Undecided(
        doubt: .ofApp, job: job, failing: FailedAttempt(.puzzling, text), status: classification.status))
  }

  private mutating func fail(
    _ job: SweepJob, _ classification: ResponseClassification, _ failing: FailedAttempt, now: Instant,
    elapsed: Int64, chance: () -> Double
  ) {
    health.take(failing.kind)
    func doubted(_ doubt: Doubt) -> Undecided {
      Undecided(doubt: doubt, job: job, failing: failing, status: classification.status)
    }
    if failing.kind == .passing {
      pace.take(isAnswered: false)
      let isUnreachable = classification.transport?.isUnreachable == true
      if let stop = health.fail(isUnreachable: isUnreachable, at: elapsed) { end(stop) }
      guard health.isReached else { return undecided.append(doubted(.ofConnection)) }
      if let seconds = failing.retryAfter {
        let wait =
          min(Int64(max(seconds, 0)), Self.longestSilence / Milliseconds.second) * Milliseconds.second
        leaveAlone(until: now + wait, because: failing.reason, now: now, elapsed: elapsed)
      }
    } else {
      health.answer(at: elapsed)
    }
    if let reason = failing.distrust, job.tries == 1 {
      breakers.fail(StoppedApp(bundleID: job.app, reason: reason, refusal: failing.reason))
    }
    let isBurst = health.isConclusive && health.isBurst(of: failing.kind)
    if options.giveUpPolicy.isExhausted(by: failing, after: job.history, isBurst: isBurst, at: now) {
      undecided.append(doubted(.ofVerdict))
    } else if failing.isWorthAnotherTry, job.tries < options.tries, !isEnding, !breakers.isStopped(job.app) {
      counts.retried += 1
      let pause = options.pause.wait(failures: job.tries, chance: chance(), retryAfter: failing.retryAfter)
      requeue(job.again(after: failing, at: now), notBefore: elapsed + pause)
    } else {
      keep(job, failing, isBelieved: false, status: classification.status, now: now, chance: chance)
    }
  }

  /// Pauses requests of this and later sweeps until an instant; a pause over `longestPause` ends the sweep.
  mutating func leaveAlone(until instant: Instant, because reason: String, now: Instant, elapsed: Int64) {
    notBefore = max(notBefore ?? instant, instant)
    guard instant - now <= Self.longestPause else { return end(.unavailable) }
    pace.pause(until: elapsed + (instant - now))
    pauseReason = reason
  }

  private mutating func keep(_ job: SweepJob, _ result: ReceiptOutcome.Result, size: Int = 0) {
    uncommittedBytes += size
    pending.append(Pending(job, result, size: size))
  }

  /// Adds a failure to the results to commit: a rejection if `isBelieved`, otherwise a later retry.
  private mutating func keep(
    _ job: SweepJob, _ failing: FailedAttempt, isBelieved: Bool, status: Int?, now: Instant,
    chance: () -> Double
  ) {
    if isBelieved {
      return keep(
        job, failing.kind == .gone ? .accountGone : .rejected(status: status, reason: failing.reason))
    }
    let isTooLong = failing.kind == .tooLong
    let wait = (isTooLong ? Backoff.tooLong : .standard).wait(
      failures: job.history.failures + 1, chance: isTooLong ? 1 : chance(), retryAfter: failing.retryAfter)
    keep(
      job,
      .retryLater(
        status: status, reason: failing.reason, nextDue: now + wait, rule: isTooLong ? .tooLong : .failed))
  }

  /// Records undecided failures whose cause has become clear, or gives receipts of stopped apps back.
  ///
  /// If `isEnd`, verdicts are recorded even if there are too few results.
  private mutating func decide(now: Instant, chance: () -> Double, isEnd: Bool = false) {
    let entries = undecided
    undecided = []
    for entry in entries {
      let (job, failing) = (entry.job, entry.failing)
      var isBelieved = false
      switch entry.doubt {
      case .ofApp where breakers.isStopped(job.app):
        countStatus(of: job.receipt)
        giveBack(1)
        continue
      case .ofApp where !breakers.isRefused(job.app): break
      case .ofConnection where health.isReached: break
      case .ofVerdict where health.isConclusive || isEnd:
        // A failure that many receipts share is not believed, but retried later.
        isBelieved = options.giveUpPolicy.isExhausted(
          by: failing, after: job.history, isBurst: health.isBurst(of: failing.kind), at: now)
      case .ofApp, .ofConnection, .ofVerdict:
        undecided.append(entry)
        continue
      }
      keep(job, failing, isBelieved: isBelieved, status: entry.status, now: now, chance: chance)
    }
  }

  /// After the last request, records undecided failures, and counts receipts without a result as given back.
  mutating func settle(now: Instant, chance: () -> Double) {
    if !health.isReached, !undecided.isEmpty { end(.unreachable) }
    breakers.settle()
    decide(now: now, chance: chance, isEnd: true)
    giveBack(outstanding - pending.count)
    for receipt in uncounted.keys { countStatus(of: receipt) }
  }

  private mutating func count(_ job: SweepJob, _ classification: ResponseClassification, at now: Instant) {
    if let http = classification.http { counts.http[http, default: 0] += 1 }
    if let error = classification.transport {
      counts.transportErrors += 1
      lastTransportError = error.description
    }
    if let latency = classification.latency { latencies.take(latency) }
    if classification.leftOut > 0 {
      counts.leftOutChains += classification.leftOut
      if leftOutOf.count < Self.mostNamed { leftOutOf.append(job.receipt) }
    }
    uncounted[job.receipt] = classification.status.map { ($0, now) }
  }

  mutating func countStatus(of receipt: ReceiptID) {
    guard let (status, seen) = uncounted.removeValue(forKey: receipt) else { return }
    counts.byStatus[status, default: 0] += 1
    tallies[status] = StatusTally(
      status: status, count: counts.byStatus[status] ?? 1, lastSeenAtMs: seen, exampleReceipt: receipt)
  }

  mutating func beginCommitting() -> Bool {
    guard !pending.isEmpty, !isCommitting else { return false }
    isCommitting = true
    return true
  }

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
      uncommittedBytes -= entry.size
      countStatus(of: entry.outcome.receipt)
      switch outcome {
      case .unchanged:
        counts.validated += 1
        counts.unchanged += 1
      case .changed(let news):
        counts.validated += 1
        counts.changed += 1
        counts.news += news
      case .refused(let reason): countPostponed(reason)
      case .lost: counts.givenBack += 1
      case .noted:
        if case .retryLater(_, let reason, _, _) = entry.outcome.result {
          countPostponed(reason)
        } else {
          counts.rejected += 1
        }
      }
    }
  }

  private mutating func countPostponed(_ reason: String) {
    counts.retryLater += 1
    let isNamed = reasons[reason] != nil || reasons.count < Self.mostReasons
    reasons[isNamed ? reason : "other reasons", default: 0] += 1
  }

  func progress(started: Instant, elapsed: Int64) -> SweepProgress {
    // `picked` can exceed `total`, because expired leases of other sweeps can add receipts.
    var progress = SweepProgress(
      started: started, elapsed: elapsed, total: max(total, counts.picked), inFlight: inFlight,
      counts: counts)
    progress.activity = activity(at: elapsed)
    progress.concurrency = pace.window
    progress.maximumConcurrency = options.concurrency
    progress.rateLimit = options.maximumRate
    progress.waitingForRetry = queue.count { $0.notBefore != nil }
    progress.latency = latencies.quantiles
    progress.statuses = statuses
    progress.stoppedApps = breakers.stopped
    return progress
  }

  func summary(started: Instant, elapsed: Int64) -> SweepSummary {
    var summary = SweepSummary(started: started, elapsed: elapsed, counts: counts, stopped: stopped)
    summary.stoppedApps = breakers.stopped
    summary.latency = latencies.quantiles
    summary.statuses = statuses
    summary.lastTransportError = lastTransportError
    summary.failures = reasons.map { FailureTally(reason: $0, count: $1) }
      .sorted { $0.count == $1.count ? $0.reason < $1.reason : $0.count > $1.count }
    summary.notBeforeMs = notBefore
    summary.leftOutOf = leftOutOf
    summary.waitingForKey = waitingForKey.values.reduce(0, +)
    return summary
  }

  private var statuses: [StatusTally] { tallies.values.sorted { $0.status < $1.status } }

  private func activity(at elapsed: Int64) -> SweepProgress.Activity {
    if isEnding { return .stopping }
    if isPaused { return .paused }
    if isCutOff(at: elapsed) {
      return .waiting(until: elapsed, reason: "another program is writing to the store")
    }
    if let until = pace.pausedUntil, until > elapsed { return .waiting(until: until, reason: pauseReason) }
    return .running
  }
}
