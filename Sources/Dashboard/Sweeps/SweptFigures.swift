import Subscriptions

/// Figures of a running or ended sweep of any process.
struct SweptFigures: Hashable, Sendable {
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
    counts = record.counts
  }

  /// Creates the figures of the sweep that runs here, or else of the newest sweep; `nil` if none is known.
  init?(_ sweep: SweepState, _ records: [SweepRecord]) {
    if let progress = sweep.progress {
      self.init(progress)
      return
    }
    let last = records.last(besides: sweep.last).map(Self.init) ?? sweep.last.map(Self.init)
    if let running = records.running, last.map({ running.began(after: $0.started) }) ?? true {
      self.init(running)
    } else if let last {
      self = last
    } else {
      return nil
    }
  }
}
