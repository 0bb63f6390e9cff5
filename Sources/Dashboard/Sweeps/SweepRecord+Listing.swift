import Screen
import Subscriptions

extension [SweepRecord] {
  func listing(at now: Instant, in formatter: DisplayFormatter) -> Listing {
    let glyphs = formatter.glyphs
    return Listing(
      self,
      [
        .minute(.whole("Started"), in: formatter) { $0.startedAtMs },
        Column(.name("Ended", least: 13, most: 40)) { $0.end(at: now, in: glyphs) },
        Column(.name("Receipts", least: 8, most: 60, priority: 6)) { StyledText($0.selection) },
        Column(.whole("By", priority: 5)) { StyledText($0.startedBy.isEmpty ? glyphs.dash : $0.startedBy) },
        Column(.number("Took", priority: 4)) { record in
          let end = record.finishedAtMs ?? (record.state == .running ? now : record.lastSeenAtMs)
          return StyledText(AgeText.of(Swift.max(0, end - record.startedAtMs)))
        }, .count("Validated", .strong) { $0.validated }, .count("Changed", priority: 1) { $0.changed },
        .count("Postponed", .warn, priority: 2) { $0.retryLater }.named("later"),
        .count("Rejected", .bad, priority: 3) { $0.rejected }, .count("Retried", priority: 7) { $0.retried },
        Column(.number("95th percentile", priority: 8).named("p95")) { record in
          record.latencyMs.map { StyledText(LatencyText.of($0.p95)) }
        },
      ], emptyText: "Nothing has been swept yet.", in: glyphs
    ) { Listing.Row(id: "\($0.id)", drillDown: .receipts(.ofSweep($0.id)), note: $0.note) }
  }

  func failures(in formatter: DisplayFormatter) -> [Block] {
    let reasons = compactMap { record in
      record.reason.map { StyledText("\(formatter.minute(record.startedAtMs))  \($0)") }
    }
    return reasons.isEmpty ? [] : [Block("Why some ended early", .text(reasons))]
  }
}

extension SweepRecord {
  func end(at now: Instant, in glyphs: GlyphSet) -> StyledText {
    func warning(_ words: String, _ style: Style = .warn) -> StyledText {
      StyledText("\(glyphs.warning) \(words)", style)
    }
    let seen = "seen \(AgeText.since(lastSeenAtMs, at: now))"
    switch state {
    case .running: return StyledText("running, \(seen)", .good)
    case .killed: return warning("killed, last \(seen)")
    case .lost: return warning("lost, last \(seen)")
    case .finished: break
    }
    if failure != nil { return StyledText("\(glyphs.cross) failed", .bad) }
    guard let stopped else {
      return counts.retryLater > 0
        ? StyledText("done, \(CountText.of(counts.retryLater)) postponed", .warn) : StyledText("done")
    }
    let stop = SweepSummary.Stop(rawValue: stopped)
    guard let stop, stop.isOfApps else { return warning(stop?.words ?? stopped) }
    return warning(stoppedApps.isEmpty ? stop.words : stoppedApps.words, .bad)
  }

  /// Reason for an early end; `nil` if no more is known than `end` shows.
  fileprivate var reason: String? {
    if let failure { return failure }
    if !stoppedApps.isEmpty {
      return stoppedApps.map { "stopped \($0.name): \($0.why)" }.joined(separator: "; ")
    }
    guard let lastTransportError, stopped == SweepSummary.Stop.unreachable.rawValue else { return nil }
    return "the App Store could not be reached: \(lastTransportError)"
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
  /// Last ended sweep that finished and selected receipts, or else the last ended sweep.
  private var lastEnded: SweepRecord? {
    let ended = filter { $0.state != .running }
    let telling = ended.filter { $0.state == .finished && $0.picked > 0 }
    return (telling.isEmpty ? ended : telling).max { ($0.endedAtMs, $0.id) < ($1.endedAtMs, $1.id) }
  }

  /// Returns `lastEnded`; `nil` if it is `seen` (this dashboard's last sweep), or ended before `seen` did.
  ///
  /// If `seen` selected no receipts, an older sweep that selected some is returned.
  func last(besides seen: SweepSummary?) -> SweepRecord? {
    guard let last = lastEnded, let seen else { return lastEnded }
    if last.isOfOne(startedHereAt: seen.started) { return nil }
    if seen.counts.picked == 0, last.picked > 0 { return last }
    let isSeenEnded = contains { $0.state != .running && $0.isOfOne(startedHereAt: seen.started) }
    // If the records lack the end of `seen`, they are older than it.
    return isSeenEnded || last.began(after: seen.started) ? last : nil
  }

  var running: SweepRecord? {
    filter { $0.state == .running && $0.picked > 0 }.max { ($0.startedAtMs, $0.id) < ($1.startedAtMs, $1.id) }
  }
}

extension SweepRecord {
  fileprivate var endedAtMs: Instant { finishedAtMs ?? lastSeenAtMs }

  /// Whether the sweep started after an instant, with a margin of 2 s because the clock was read twice.
  func began(after start: Instant) -> Bool { startedAtMs - start > 2 * Milliseconds.second }

  func isOfOne(startedHereAt start: Instant) -> Bool {
    startedBy != "command line" && !began(after: start) && startedAtMs - start > -2 * Milliseconds.second
  }
}
