import Screen
import Subscriptions

/// State of sweeping in words: this dashboard's sweep, sweeps of other processes, and the last result.
struct SweepCondition {
  let sweep: SweepState
  let queue: QueueReport?
  let isReadOnly: Bool
  let now: Instant
  let glyphs: GlyphSet

  var head: SweepHead {
    switch (sweep.isActive, sweep.progress) {
    case (false, _): SweepHead(state: elsewhere + idle, facts: sweep.failure == nil ? facts(of: swept) : [])
    case (true, nil) where sweep.isStopping:
      SweepHead(state: [state("stopping", .info, "it has just started")], facts: [])
    case (true, nil):
      SweepHead(state: [state("starting\(glyphs.ellipsis)", .info, subject)] + elsewhere, facts: [])
    case (true, let progress?): running(progress, isStopping: sweep.isStopping)
    }
  }

  // MARK: Running

  private func running(_ progress: SweepProgress, isStopping: Bool) -> SweepHead {
    SweepHead(
      state: [activity(of: progress, isStopping: isStopping)] + stopped(progress.stoppedApps) + elsewhere,
      progress: SweepHead.Progress(
        fraction: progress.total > 0 ? Double(progress.counts.done) / Double(progress.total) : nil,
        style: progress.stoppedApps.isEmpty ? .accent : .warn, caption: caption(of: progress),
        rates: sweep.rates,
        rate: StyledText("\(CountText.rounding(sweep.rate ?? 0))/s", .strong)),
      facts: pace(of: progress) + facts(of: SweptFigures(progress)))
  }

  private func activity(of progress: SweepProgress, isStopping: Bool) -> StyledText {
    let onTheWire = CountText.of(progress.inFlight, "request")
    switch progress.activity {
    case _ where isStopping: return state("stopping", .info, "saving the answers received")
    case .stopping: return state("stopping", .info, "saving the answers received")
    case .paused where sweep.isPauseWanted: return state("paused", .warn, "p resumes")
    case .running where sweep.isPauseWanted, .waiting where sweep.isPauseWanted:
      return state("pausing", .warn, "\(onTheWire) in flight")
    case .waiting(let until, let reason):
      return state("waiting \(AgeText.of(max(0, until - progress.elapsed)))", .warn, reason)
    case .running, .paused: return state("running", .good, subject)
    }
  }

  private var subject: String {
    let who = sweep.isByItself ? "automatically" : "here"
    let what = sweep.selection.map { "\($0.words), " } ?? ""
    let when = sweep.progress.map { " \(AgeText.of($0.elapsed)) ago" } ?? ""
    return "\(what)started \(who)\(when)"
  }

  private func caption(of progress: SweepProgress) -> [StyledText] {
    let (done, total) = (progress.counts.done, progress.total)
    let left = progress.activity == .running ? sweep.timeLeft : nil
    return [StyledText("\(CountText.of(done)) of \(CountText.of(total))", .strong)]
      + (left.map { [StyledText("\(AgeText.of($0)) left")] } ?? [])
      + [StyledText(PercentText.of(done, in: total, unknown: ""), .dim)]
  }

  private func pace(of progress: SweepProgress) -> [StyledText] {
    var parts: [StyledText] = [
      [
        TextSpan("in flight ", .dim), TextSpan(CountText.of(progress.inFlight), .strong),
        TextSpan(
          (progress.inFlight > progress.concurrency ? ", slowing to " : " of ")
            + "\(CountText.of(progress.concurrency)), at most \(CountText.of(progress.maximumConcurrency))",
          .dim),
      ]
    ]
    if let limit = progress.rateLimit {
      parts.append([
        TextSpan("limit ", .dim), TextSpan("\(CountText.rounding(limit))/s"),
      ])
    }
    if progress.waitingForRetry > 0 {
      parts.append(.part("waiting for retry", progress.waitingForRetry, .warn))
    }
    return parts
  }

  // MARK: Any sweep

  private var swept: SweptFigures? { SweptFigures(sweep, queue?.sweeps ?? []) }

  private func facts(of swept: SweptFigures?) -> [StyledText] {
    guard let swept else { return [] }
    let counts = swept.counts
    let numbers = [
      ("retried", counts.retried, Style.text), ("postponed", counts.retryLater, .warn),
      ("rejected", counts.rejected, .bad), ("rerouted", counts.rerouted, .text),
      ("returned to the queue", counts.givenBack, .text),
    ]
    let latency = swept.latency.map { latency -> StyledText in
      [
        TextSpan("median ", .dim), TextSpan(LatencyText.of(latency.p50)),
        TextSpan("  95th percentile ", .dim), TextSpan(LatencyText.of(latency.p95)),
      ]
    }
    return numbers.filter { $0.1 > 0 }.map { StyledText.part($0.0, $0.1, $0.2) }
      + [latency].compactMap(\.self)
  }

  func state(_ word: String, _ style: Style, _ rest: String) -> StyledText {
    [TextSpan("\(glyphs.bullet) \(word)", style.adding(.bold)), TextSpan(rest.isEmpty ? "" : "  \(rest)")]
  }

  func stopped(_ apps: [StoppedApp]) -> [StyledText] {
    apps.map { app in
      [
        TextSpan("\(glyphs.cross) stopped \(app.name)", Style(.bad, .bold)),
        TextSpan(": \(app.why). Its receipts were not touched."),
      ]
    }
  }
}

extension SweepCondition {
  var idle: [StyledText] {
    let nothing = state("idle", .dim, queue == nil ? "" : "nothing has been swept yet")
    let last = sweep.failure.map { [state("failed", .bad, $0)] } ?? last ?? [nothing]
    return last + [due] + silence
  }

  /// Running sweeps of other processes on the same store, which share the queue.
  var elsewhere: [StyledText] {
    let others = queue?.sweeps.filter { $0.state == .running && !isOwn($0) } ?? []
    return others.map { other in
      let who = other.startedBy.isEmpty ? "another program" : "the \(other.startedBy)"
      let seen = "last seen \(AgeText.since(other.lastSeenAtMs, at: now))"
      return [
        TextSpan("\(glyphs.bullet) a sweep by \(who) is running", Style(.info, .bold)),
        TextSpan(", \(seen) (selection: \(other.selection)), \(CountText.of(other.validated)) validated"),
      ]
    }
  }

  private func isOwn(_ record: SweepRecord) -> Bool {
    sweep.started.map(record.isOfOne(startedHereAt:)) ?? false
  }

  private var last: [StyledText]? {
    if let record = queue?.sweeps.last(besides: sweep.last) { return [ending(of: record)] }
    guard let summary = sweep.last else { return nil }
    let (sentence, level) = summary.inOneSentence
    let apps = stopped(summary.stoppedApps)
    guard apps.isEmpty else {
      let rest = "\(CountText.of(summary.counts.done, "receipt")) swept in \(AgeText.of(summary.length))"
      return apps + [state("idle", .dim, rest)]
    }
    guard summary.stopped != nil else { return [state("idle", .dim, sentence)] }
    let why = ["Sweep stopped: ", "Sweep stopped "].first { sentence.hasPrefix($0) }
      .map { String(sentence.dropFirst($0.count)) }
    return [state("stopped", level == .bad ? .bad : .warn, why ?? sentence)]
  }

  private func ending(of record: SweepRecord) -> StyledText {
    let when = AgeText.since(record.finishedAtMs ?? record.lastSeenAtMs, at: now)
    let who = record.startedBy.isEmpty ? "" : " by the \(record.startedBy)"
    if let failure = record.failure {
      return state("idle", .dim, "the last sweep\(who) failed \(when): \(failure)")
    }
    let counts =
      "\(CountText.of(record.validated)) validated, \(CountText.of(record.changed)) changed"
    return [
      TextSpan("\(glyphs.bullet) idle", Style(.dim, .bold)), TextSpan("  the last sweep\(who) \(when): "),
    ] + record.end(at: now, in: glyphs) + [TextSpan(", \(counts)")]
  }

  /// Remark that the App Store asked sweeps to wait; empty if it did not ask or the wait is over.
  private var silence: [StyledText] {
    guard let until = queue?.sweeps.compactMap(\.notBeforeMs).max(), until > now else { return [] }
    return [
      StyledText("The App Store asked to wait another \(AgeText.of(until - now)).", .warn)
    ]
  }

  private var due: StyledText {
    guard let queue else { return "" }
    if queue.due == 0 { return StyledText("Nothing is due.", .dim) }
    let count = CountText.of(queue.due)
    guard !isReadOnly else { return StyledText("\(count) due", .text) }
    return [
      TextSpan("\(count) due", .strong), TextSpan("; "), TextSpan("s", .key), TextSpan(" sweeps them, "),
      TextSpan("S", .key), TextSpan(" every receipt."),
    ]
  }
}
