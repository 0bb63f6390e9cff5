import Subscriptions

/// What a sweep has come to so far or in the end, whoever ran it.
struct SweptFigures: Hashable, Sendable {
  /// Which sweep it is, for titles: `this sweep`.
  var name: String
  var started: Instant
  var counts: SweepCounts
  var statuses: [StatusTally]
  var latency: LatencyQuantiles?

  init(_ progress: SweepProgress) {
    (name, started, counts, statuses) = ("this sweep", progress.started, progress.counts, progress.statuses)
    latency = progress.latency
  }

  init(_ summary: SweepSummary) {
    (name, started, counts, statuses) = ("last sweep", summary.started, summary.counts, summary.statuses)
    latency = summary.latency
  }

  init(_ record: SweepRecord) {
    name = record.state == .running ? "running sweep" : "last sweep"
    (started, statuses, latency) = (record.startedAtMs, record.statuses, record.latencyMs)
    counts = SweepCounts()
    counts.picked = record.picked
    counts.validated = record.validated
    counts.unchanged = record.unchanged
    counts.changed = record.changed
    counts.news = AnswerNews(
      newTransactions: record.newTransactions, renewals: record.renewals, refunds: record.refunds,
      stateChanges: record.stateChanges)
    counts.rerouted = record.rerouted
    counts.retried = record.retried
    counts.retryLater = record.retryLater
    counts.rejected = record.rejected
    counts.givenBack = record.givenBack
    counts.http = record.http
    counts.transportErrors = record.transportErrors
  }

  /// Of the sweep that runs here, or else of the one that began last anywhere; nil where there was none.
  init?(_ sweep: SweepState, _ records: [SweepRecord]) {
    if let progress = sweep.progress {
      self.init(progress)
      return
    }
    let newest = records.max { $0.startedAtMs < $1.startedAtMs }
    switch (sweep.last, newest) {
    case (let last?, let newest?) where newest.began(after: last.started): self.init(newest)
    case (let last?, _): self.init(last)
    case (nil, let newest?): self.init(newest)
    case (nil, nil): return nil
    }
  }
}

extension SweepRecord {
  /// Whether it is a later sweep than one that began at an instant, by a clock that was read more than once.
  func began(after start: Instant) -> Bool { startedAtMs - start > 2 * Milliseconds.second }
}
