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

  /// Sweeps the receipts of the current chain. A running sweep takes them first.
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
    guard let pause = rhythm.sweep, mayStartByItself, uptime >= sweep.endedAt + pause else { return [] }
    sweep.begin(.due, byItself: true)
    return [.startSweep(.due)]
  }
}
