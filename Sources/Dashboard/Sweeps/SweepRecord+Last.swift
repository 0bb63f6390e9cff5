import Subscriptions

extension [SweepRecord] {
  /// The sweep that ended last, preferably one that selected receipts: a sweep without work does not hide it.
  private var lastEnded: SweepRecord? {
    let ended = filter { $0.state != .running }
    let telling = ended.filter { $0.state == .finished && $0.picked > 0 }
    return (telling.isEmpty ? ended : telling).max { ($0.endedAtMs, $0.id) < ($1.endedAtMs, $1.id) }
  }

  /// Returns the last sweep; `nil` if it is the one that this dashboard ran, which has more details, or if
  /// there is none.
  func last(besides seen: SweepSummary?) -> SweepRecord? {
    guard let last = lastEnded, let seen else { return lastEnded }
    if last.isOfOne(startedHereAt: seen.started) { return nil }
    if seen.counts.picked == 0, last.picked > 0 { return last }
    let isSeenEnded = contains { $0.state != .running && $0.isOfOne(startedHereAt: seen.started) }
    // Otherwise the store has not been read since.
    return isSeenEnded || last.began(after: seen.started) ? last : nil
  }

  /// The newest running sweep that has selected receipts.
  var running: SweepRecord? {
    filter { $0.state == .running && $0.picked > 0 }.max { ($0.startedAtMs, $0.id) < ($1.startedAtMs, $1.id) }
  }
}

extension SweepRecord {
  fileprivate var endedAtMs: Instant { finishedAtMs ?? lastSeenAtMs }

  /// Whether the sweep started after an instant, with a tolerance of 2 s for clocks that were read
  /// separately.
  func began(after start: Instant) -> Bool { startedAtMs - start > 2 * Milliseconds.second }

  /// Whether this is the record of a sweep that the dashboard started at an instant.
  func isOfOne(startedHereAt start: Instant) -> Bool {
    startedBy != "command line" && !began(after: start) && startedAtMs - start > -2 * Milliseconds.second
  }
}
