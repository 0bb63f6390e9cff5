import Subscriptions

extension [SweepRecord] {
  /// The one that finished last of those that took something up, or else the last of all: one that found nothing to do does
  /// not hide it. None that runs.
  private var lastEnded: SweepRecord? {
    let ended = filter { $0.state != .running }
    let telling = ended.filter { $0.state == .finished && $0.picked > 0 }
    return (telling.isEmpty ? ended : telling).max { ($0.endedAtMs, $0.id) < ($1.endedAtMs, $1.id) }
  }

  /// The last sweep; nil where that is the one that was seen here, which more is known of, or there was none.
  func last(besides seen: SweepSummary?) -> SweepRecord? {
    guard let last = lastEnded, let seen else { return lastEnded }
    if last.isOfOne(startedHereAt: seen.started) { return nil }
    if seen.counts.picked == 0, last.picked > 0 { return last }
    let isSeenEnded = contains { $0.state != .running && $0.isOfOne(startedHereAt: seen.started) }
    // Where it is not, the store has not been read since.
    return isSeenEnded || last.began(after: seen.started) ? last : nil
  }

  /// The newest that runs and has taken something up.
  var running: SweepRecord? {
    filter { $0.state == .running && $0.picked > 0 }.max { ($0.startedAtMs, $0.id) < ($1.startedAtMs, $1.id) }
  }
}

extension SweepRecord {
  fileprivate var endedAtMs: Instant { finishedAtMs ?? lastSeenAtMs }

  /// Whether it is a later sweep than one that began at an instant, by a clock that was read more than once.
  func began(after start: Instant) -> Bool { startedAtMs - start > 2 * Milliseconds.second }

  /// Whether it is the store's note of a sweep that this program started.
  func isOfOne(startedHereAt start: Instant) -> Bool {
    startedBy != "command line" && !began(after: start) && startedAtMs - start > -2 * Milliseconds.second
  }
}
