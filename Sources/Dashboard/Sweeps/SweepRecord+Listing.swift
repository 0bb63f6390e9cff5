import Screen
import Subscriptions

extension [SweepRecord] {
  func listing(at now: Instant, in formatter: DisplayFormatter) -> Listing {
    let glyphs = formatter.glyphs
    let rows = map { record in
      Listing.Row(
        id: "\(record.id)",
        [
          StyledText(formatter.minute(record.startedAtMs), .dim), record.end(at: now, in: glyphs),
          StyledText(record.selection), StyledText(record.startedBy.isEmpty ? glyphs.dash : record.startedBy),
          StyledText(AgeText.of(record.length(at: now))), .number(record.validated, .strong),
          .number(record.changed), .number(record.retryLater, .warn), .number(record.rejected, .bad),
          .number(record.retried),
          StyledText(
            record.latencyMs.map { LatencyText.of($0.p95) } ?? glyphs.dash,
            record.latencyMs == nil ? .dim : .text),
        ], drillDown: .receipts(.ofSweep(record.id)), note: record.note)
    }
    return Listing(
      [
        .whole("Started"), .name("Ended", least: 13, most: 40),
        .name("Receipts", least: 8, most: 60, priority: 6),
        .whole("By", priority: 5), .number("Took", priority: 4), .number("Validated"),
        .number("Changed", priority: 1), .number("Later", priority: 2), .number("Rejected", priority: 3),
        .number("Retried", priority: 7), .number("95th percentile", priority: 8).named("p95"),
      ], rows, emptyText: "Nothing has been swept yet.", in: glyphs)
  }

  /// Returns a block with the reasons of sweeps that ended early, which the table has no space for; empty if
  /// none did.
  func failures(in formatter: DisplayFormatter) -> [Block] {
    let reasons = compactMap { record in
      record.reason.map { StyledText("\(formatter.minute(record.startedAtMs))  \($0)") }
    }
    return reasons.isEmpty ? [] : [Block("Why some ended early", .text(reasons))]
  }
}

extension SweepRecord {
  func end(at now: Instant, in glyphs: GlyphSet) -> StyledText {
    switch state {
    case .running: return StyledText("running, seen \(AgeText.since(lastSeenAtMs, at: now))", .good)
    case .killed, .lost:
      let end = state == .killed ? "killed" : "lost"
      return StyledText("\(glyphs.warning) \(end), last seen \(AgeText.since(lastSeenAtMs, at: now))", .warn)
    case .finished: break
    }
    if failure != nil { return StyledText("\(glyphs.cross) failed", .bad) }
    guard let stopped else {
      return counts.retryLater > 0
        ? StyledText("done, \(CountText.of(counts.retryLater)) for later", .warn) : StyledText("done")
    }
    guard let stop = SweepSummary.Stop(rawValue: stopped) else {
      return StyledText("\(glyphs.warning) \(stopped)", .warn)
    }
    guard stop.isOfApps else { return StyledText("\(glyphs.warning) \(stop.words)", .warn) }
    let words = stoppedApps.isEmpty ? stop.words : stoppedApps.words
    return StyledText("\(glyphs.warning) \(words)", .bad)
  }

  /// Reason for an early end, if more is known than `end` shows.
  fileprivate var reason: String? {
    if let failure { return failure }
    if !stoppedApps.isEmpty {
      return stoppedApps.map { "stopped \($0.name): \($0.why)" }.joined(separator: "; ")
    }
    guard let lastTransportError, stopped == SweepSummary.Stop.unreachable.rawValue else { return nil }
    return "the App Store could not be reached: \(lastTransportError)"
  }

  func length(at now: Instant) -> Int64 {
    max(0, (finishedAtMs ?? (state == .running ? now : lastSeenAtMs)) - startedAtMs)
  }

  fileprivate var note: String {
    if let failure { return failure }
    let words = [
      reason, startedBy.isEmpty ? nil : "by the \(startedBy)", selection,
      CountText.of(counts.newTransactions, "new transaction"), CountText.of(counts.renewals, "renewal"),
      CountText.of(counts.refunds, "refund"), CountText.of(counts.stateChanges, "state change"),
    ]
    return words.compactMap { $0 }.joined(separator: ", ")
  }
}

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
