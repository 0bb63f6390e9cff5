import Screen
import Subscriptions

extension State {
  mutating func startSweep(_ selection: SweepSelection) -> [Effect] {
    guard !sweep.isActive else {
      guard selection != .due else { return say("A sweep is already running; x stops it.", .warn) }
      sweep.next = selection
      return say("Another sweep is running; this one starts when it ends.")
    }
    sweep.begin(selection)
    return [.startSweep(selection)]
  }

  /// Sweeps the receipts of the visible or selected chain, before all others if a sweep is running.
  mutating func sweepChain() -> [Effect] {
    var selected: OriginalTransactionID?
    if case .chain(let id)? = drillDown { selected = id }
    guard let id = chosenChain?.originalTransactionId ?? selected else {
      return say("Only a subscription can be checked with Apple. Select one.")
    }
    if sweep.isActive, !sweep.isStopping {
      say(
        sweep.isPauseWanted
          ? "The sweep is paused. When resumed, it checks this history first."
          : "Checking this history with Apple first; the sweep then continues.")
      return [.sweepFirst(.chain(id))]
    }
    let effects = startSweep(.chain(id))
    if !effects.isEmpty { say("Checking subscription history \(id) with Apple.") }
    return effects
  }

  mutating func pauseOrResume() -> [Effect] {
    guard sweep.isActive, !sweep.isStopping else {
      return say(sweep.isStopping ? "The sweep is stopping." : "No sweep is running.")
    }
    sweep.isPauseWanted.toggle()
    return [sweep.isPauseWanted ? .pauseSweep : .resumeSweep]
  }

  mutating func stopSweep() -> [Effect] {
    guard sweep.isActive else { return say("No sweep is running.") }
    sweep.isStopping = true
    if sweep.next != nil { say("Stopping. The sweep that was to start next is cancelled too.") }
    sweep.next = nil
    return [.stopSweep]
  }

  /// Sweeps receipts that could not join a sweep before it ended: now, or after the sweep that is running.
  mutating func sweepTooLate(_ selection: SweepSelection) -> [Effect] {
    guard sweep.isActive else { return startSweep(selection) }
    sweep.next = selection
    return []
  }

  /// Starts the sweep that waits, unless the user or a failing App Store stopped the sweep before it.
  private mutating func startNext(after stopped: SweepSummary.Stop?) -> [Effect] {
    guard let next = sweep.next else { return [] }
    sweep.next = nil
    if let stopped, !stopped.isOfApps { return [] }
    return startSweep(next)
  }

  mutating func sweepStarted() {
    if !sweep.isActive { sweep.begin(nil) }
  }

  mutating func sweepAdvanced(to progress: SweepProgress) -> [Effect] {
    if progress.counts.changed > sweep.progress?.counts.changed ?? 0 { pending.isOutdated = true }
    sweep.advance(to: progress)
    return refreshIfDue()
  }

  mutating func sweepFinished(_ summary: SweepSummary) -> [Effect] {
    sweep.end(at: uptime)
    sweep.last = summary
    let (text, level) = summary.inOneSentence
    // An automatic sweep is reported only if it ended early.
    if !sweep.isByItself || summary.stopped != nil { say(text, level) }
    pending.alertsAsked = nil
    return reloadAfterSweep() + startNext(after: summary.stopped)
  }

  mutating func sweepFailed(_ reason: String) -> [Effect] {
    sweep.end(at: uptime)
    sweep.failure = reason
    sweep.next = nil
    say(reason, .bad)
    return reloadAfterSweep()
  }

  // MARK: Automatic sweeps

  /// Whether an automatic sweep may start; none starts after a sweep that failed or ended early.
  var mayStartByItself: Bool {
    !sweep.isActive && !isReadOnly && sweep.failure == nil && sweep.last?.stopped == nil
  }

  mutating func sweepByItself() -> [Effect] {
    guard let pause = refreshSchedule.sweep, mayStartByItself, uptime >= sweep.endedAt + pause else {
      return []
    }
    sweep.begin(.due, byItself: true)
    return [.startSweep(.due)]
  }
}

/// State of the sweeps that this dashboard starts.
public struct SweepState: Sendable {
  public internal(set) var isActive = false
  var isStopping = false
  /// Progress of the running sweep; `nil` before its first report and after its end.
  public internal(set) var progress: SweepProgress?
  public internal(set) var last: SweepSummary?
  private(set) var selection: SweepSelection?
  /// Reason why the last sweep failed; `nil` once the next has begun.
  public internal(set) var failure: String?
  /// Whether the user has paused the sweep, which may still be sending requests.
  var isPauseWanted = false
  var next: SweepSelection?
  /// Receipts per second in up to 200 samples of half a second or more, oldest first.
  var rates: [Double] = []
  private var sampled: (elapsed: Int64, done: Int) = (0, 0)
  private(set) var isByItself = false
  /// Uptime at the end of the last sweep.
  var endedAt: Int64 = 0

  /// Start of the running or the last sweep; it distinguishes this sweep from sweeps of other processes.
  var started: Instant? { progress?.started ?? last?.started }

  /// Receipts per second over the last ten samples (about five seconds); `nil` before the first sample.
  var rate: Double? {
    let newest = rates.suffix(10)
    return newest.isEmpty ? nil : newest.reduce(0, +) / Double(newest.count)
  }

  /// Milliseconds left at the current rate; `nil` if the rate is unknown or zero.
  var timeLeft: Int64? {
    guard let progress, let rate, rate > 0 else { return nil }
    return Int64(min(1e15, Double(progress.left) / rate * 1000))
  }

  mutating func begin(_ selection: SweepSelection?, byItself: Bool = false) {
    end(at: endedAt)
    isActive = true
    self.selection = selection
    isByItself = byItself
    failure = nil
    rates = []
    sampled = (0, 0)
  }

  mutating func advance(to progress: SweepProgress) {
    isActive = true
    self.progress = progress
    let passed = progress.elapsed - sampled.elapsed
    guard passed >= 500 else { return }
    rates.append(Double(progress.counts.done - sampled.done) * 1000 / Double(passed))
    // Enough samples for a wide screen.
    rates = rates.suffix(200)
    sampled = (progress.elapsed, progress.counts.done)
  }

  mutating func end(at uptime: Int64) {
    (isActive, isStopping, isPauseWanted, progress) = (false, false, false, nil)
    endedAt = uptime
  }
}

extension State {
  private static let receiptsListed = 2000

  mutating func askReceipts(_ question: ReceiptQuestion, _ purpose: PendingRequests.Purpose) -> [Effect] {
    let serial = pending.ask(.receipts, .receipts(question), purpose, at: uptime)
    return [.loadReceipts(question, limit: Self.receiptsListed, at: asOfSweeps, serial: serial)]
  }

  mutating func show(_ lines: ReceiptLines, serial: Int) {
    guard let asked = pending.take(.receipts, serial) else { return }
    products.learn(lines.rows.compactMap(\.product))
    let layer = layer(of: lines, at: asOfSweeps)
    switch (asked.purpose, top) {
    case (.open, _): layers.append(layer)
    case (.refresh, .receipts(let old)?) where old.lines.question == lines.question: replaceTop(by: layer)
    case (.refresh, _): return
    }
    settle()
  }

  private func layer(of lines: ReceiptLines, at t: Instant) -> Layer {
    let sweeps = sweepView.queue?.sweeps ?? []
    let name = lines.question.name(in: formatter, sweeps: sweeps)
    return layer(
      .receipts(ReceiptsView(lines: lines, name: name, at: t, stillAt: frozenAt)),
      [lines.block(named: name, sweeps, at: t, in: formatter)])
  }

  /// Redraws, after a change of the time zone, content that a frozen screen does not read again.
  mutating func redrawStill() {
    sweepView.isDrawn = false
    guard case .receipts(let view)? = top, isStill(view) else { return }
    replaceTop(by: layer(of: view.lines, at: view.at))
    settle()
  }

  func isStill(_ view: ReceiptsView) -> Bool { isFrozen && view.stillAt == frozenAt }
}
