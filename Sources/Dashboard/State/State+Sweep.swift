import Screen
import Subscriptions

extension State {
  mutating func startSweep(_ selection: SweepSelection) -> [Effect] {
    guard !sweep.isActive else {
      guard selection != .due else {
        say("A sweep is running; x stops it.", .warn)
        return []
      }
      sweep.next = selection
      say("A sweep is running: this one begins when it is through.")
      return []
    }
    sweep.begin(selection)
    return [.startSweep(selection)]
  }

  /// Sweeps the receipts of the current chain. A running sweep moves them to the front of its queue.
  mutating func sweepChain() -> [Effect] {
    guard case .chain(let view)? = layers.last?.content else { return [] }
    let id = view.chain.originalTransactionId
    if sweep.isActive, !sweep.isStopping {
      say(
        sweep.isPauseWanted
          ? "The sweep is paused, and asks Apple about it first when it goes on."
          : "Asking Apple about it first; the sweep goes on after it.")
      return [.sweepFirst(.chain(id))]
    }
    let effects = startSweep(.chain(id))
    if !effects.isEmpty { say("Asking Apple about subscription history \(id).") }
    return effects
  }

  mutating func pauseOrResume() -> [Effect] {
    guard sweep.isActive, !sweep.isStopping else {
      say(sweep.isStopping ? "The sweep is stopping." : "No sweep is running.")
      return []
    }
    sweep.isPauseWanted.toggle()
    return [sweep.isPauseWanted ? .pauseSweep : .resumeSweep]
  }

  mutating func stopSweep() -> [Effect] {
    guard sweep.isActive else {
      if guide != nil {
        guide = nil
        return []
      }
      say("No sweep is running.")
      return []
    }
    sweep.activity = .stopping(sweep.progress)
    return [.stopSweep]
  }

  /// Starts a separate sweep for receipts that came too late for the running one.
  mutating func sweepTooLate(_ selection: SweepSelection) -> [Effect] {
    guard sweep.isActive else { return startSweep(selection) }
    sweep.next = selection
    return []
  }

  /// Starts the sweep that was requested during another one.
  ///
  /// - Parameter stopped: Why the other sweep ended early. If the user stopped it or the App Store failed, no
  ///   sweep follows.
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
    // A sweep that started by itself is reported only if it went wrong.
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

  /// Whether automatic sweeps are allowed. After a refusal they are not, because the next one would be
  /// refused too.
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
  /// Phase of the current sweep.
  public enum Activity: Sendable {
    case idle
    case starting
    case running(SweepProgress)
    case stopping(SweepProgress?)
  }

  public internal(set) var activity = Activity.idle
  public internal(set) var last: SweepSummary?
  private(set) var selection: SweepSelection?
  /// Reason why the last sweep failed; `nil` after the next has begun.
  public internal(set) var failure: String?
  /// Whether the user has paused the sweep, which may not have reacted yet.
  var isPauseWanted = false
  var next: SweepSelection?
  /// Receipts per second, oldest first, one sample per half second.
  var rates: [Double] = []
  private var sampled: (elapsed: Int64, done: Int) = (0, 0)
  /// Whether the last sweep started by itself.
  private(set) var isByItself = false
  /// End of the last sweep, in uptime.
  var endedAt: Int64 = 0

  /// Number of samples kept, enough for a wide screen.
  private static let samples = 200
  private static let newest = 10

  public var isActive: Bool {
    if case .idle = activity { false } else { true }
  }

  var isStopping: Bool {
    if case .stopping = activity { true } else { false }
  }

  public var progress: SweepProgress? {
    switch activity {
    case .running(let progress): progress
    case .stopping(let progress): progress
    case .idle, .starting: nil
    }
  }

  /// Start of the running or the last sweep. Distinguishes it from sweeps of other processes.
  var started: Instant? { progress?.started ?? last?.started }

  /// Receipts per second over the last five seconds; `nil` before the first sample.
  var rate: Double? {
    let newest = rates.suffix(Self.newest)
    return newest.isEmpty ? nil : newest.reduce(0, +) / Double(newest.count)
  }

  /// Milliseconds left at the current rate; `nil` if there is no progress.
  var timeLeft: Int64? {
    guard let progress, let rate, rate > 0 else { return nil }
    return Int64(clamping: Int128(min(1e15, Double(progress.left) / rate * 1000)))
  }

  mutating func begin(_ selection: SweepSelection?, byItself: Bool = false) {
    activity = .starting
    self.selection = selection
    isByItself = byItself
    isPauseWanted = false
    failure = nil
    rates = []
    sampled = (0, 0)
  }

  mutating func advance(to progress: SweepProgress) {
    activity = isStopping ? .stopping(progress) : .running(progress)
    let passed = progress.elapsed - sampled.elapsed
    guard passed >= 500 else { return }
    rates.append(Double(progress.counts.done - sampled.done) * 1000 / Double(passed))
    rates = rates.suffix(Self.samples)
    sampled = (progress.elapsed, progress.counts.done)
  }

  mutating func end(at uptime: Int64) {
    activity = .idle
    isPauseWanted = false
    endedAt = uptime
  }
}

extension State {
  private static let receiptsListed = 2000

  mutating func askReceipts(
    _ question: ReceiptQuestion, _ purpose: PendingRequests.Find.Purpose
  ) -> [Effect] {
    let serial = pending.nextSerial()
    pending.receipts = PendingRequests.Receipts(
      serial: serial, question: question, purpose: purpose, asked: uptime)
    return [.loadReceipts(question, limit: Self.receiptsListed, at: asOfSweeps, serial: serial)]
  }

  mutating func show(_ lines: ReceiptLines, serial: Int) {
    guard let asked = pending.receipts, asked.serial == serial else { return }
    pending.receipts = nil
    products.learn(lines.rows.compactMap(\.product))
    let layer = layer(of: lines, at: asOfSweeps)
    switch (asked.purpose, layers.last?.content) {
    case (.open, _): layers.append(layer)
    case (.refresh, .receipts(let old)?) where old.question == lines.question: replaceTop(by: layer)
    case (.refresh, _): return
    }
    settle()
  }

  private func layer(of lines: ReceiptLines, at t: Instant) -> Layer {
    let name = lines.question.name(in: formatter, sweeps: sweepView.queue?.sweeps ?? [])
    return Layer(
      content: .receipts(ReceiptsView(lines: lines, name: name, at: t, stillAt: frozenAt)),
      page: Page([lines.block(named: name, at: t, in: formatter)], arrangement(of: .receipts)))
  }

  /// Redraws content that a frozen screen does not read again, for another time zone.
  mutating func redrawStill() {
    sweepView.isDrawn = false
    guard case .receipts(let view)? = layers.last?.content, isStill(view) else { return }
    replaceTop(by: layer(of: view.lines, at: view.at))
    settle()
  }

  /// Whether a frozen screen has shown the list.
  func isStill(_ view: ReceiptsView) -> Bool { isFrozen && view.stillAt == frozenAt }

  /// Keeps a visible list of receipts when the screen is frozen or unfrozen.
  mutating func keepReceiptsStill() {
    guard case .receipts(var view)? = layers.last?.content else { return }
    view.stillAt = frozenAt
    layers[layers.count - 1].content = .receipts(view)
  }
}
