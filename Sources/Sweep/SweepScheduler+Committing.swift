import ReceiptStore
import Subscriptions

extension SweepScheduler {
  /// Removes and returns the next entries to commit. Without any, committing ends until another arrives.
  mutating func batch(_ size: Int) -> [Pending] {
    if case .store = failure { pending = [] }
    guard !pending.isEmpty else {
      isCommitting = false
      return []
    }
    let batch = Array(pending.prefix(size))
    pending.removeFirst(batch.count)
    return batch
  }

  /// Removes and returns the receipts that the store should release.
  mutating func takeReturned() -> [ReceiptID] {
    defer { returned = [] }
    return returned
  }

  mutating func committed(_ batch: [Pending], as recorded: [RecordedOutcome]) {
    outstanding -= batch.count
    for (entry, outcome) in zip(batch, recorded) {
      if outcome != .lost { done[entry.job.app, default: 0] += 1 }
      switch outcome {
      case .unchanged:
        counts.validated += 1
        counts.unchanged += 1
      case .changed(let news):
        counts.validated += 1
        counts.changed += 1
        counts.news += news
      case .refused: counts.rejected += 1
      case .lost: counts.givenBack += 1
      case .noted:
        if case .later(let failing) = entry.result {
          counts.retryLater += 1
          reasons.add(failing.reason)
        } else {
          counts.rejected += 1
        }
      }
    }
  }

  /// Decides the held entries and gives the other receipts back, when nothing is in flight at the end.
  mutating func settle(at now: Instant) {
    if !isReached, !unreached.isEmpty { end(.unreachable) }
    pending += breakers.settle()
    settleDoubted(at: now)
    let left = outstanding - pending.count
    outstanding -= left
    counts.givenBack += left
  }

  /// Decides the doubted failures. A failure that many receipts share is left for a later attempt.
  mutating func settleDoubted(at now: Instant) {
    for var entry in doubted {
      if case .believed(let failing) = entry.result,
        !isBelievable(
          failing, of: entry.job, isBurst: failures.isBurst(of: failing.kind), at: now)
      {
        entry.result = .later(failing)
      }
      pending.append(entry)
    }
    doubted = []
  }

  func progress(started: Instant, elapsed: Int64, total: Int) -> SweepProgress {
    var progress = SweepProgress(
      started: started, elapsed: elapsed, total: total, inFlight: inFlight, counts: counts)
    // Leases of other sweeps that expired since the start can add receipts.
    progress.total = max(total, counts.picked)
    progress.activity = activity(at: elapsed)
    progress.concurrency = pace.window
    progress.maximumConcurrency = options.concurrency
    progress.rateLimit = options.maximumRate
    progress.waitingForRetry = waiting.count
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
    summary.failures = reasons.tallies
    summary.doneOfStoppedApps = breakers.stopped.reduce(0) { $0 + (done[$1.bundleID] ?? 0) }
    summary.notBeforeMs = notBefore
    summary.held = held
    summary.leftOutOf = leftOutOf
    summary.waitingForKey = waitingForKey.values.reduce(0, +)
    return summary
  }

  /// Returns the summary that holds once a batch is committed.
  func summary(
    once batch: [Pending], isRecordedAs recorded: [RecordedOutcome], started: Instant, elapsed: Int64
  ) -> SweepSummary {
    var later = self
    later.committed(batch, as: recorded)
    return later.summary(started: started, elapsed: elapsed)
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
