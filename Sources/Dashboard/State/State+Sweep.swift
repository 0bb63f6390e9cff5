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

  /// The receipts of the chain shown, before the rest where a sweep runs.
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

  /// What was to come first in a sweep that was through is swept by itself.
  mutating func sweepTooLate(_ selection: SweepSelection) -> [Effect] {
    guard sweep.isActive else { return startSweep(selection) }
    sweep.next = selection
    return []
  }

  /// The sweep that somebody wanted while another one ran.
  ///
  /// - Parameter stopped: why that one was not through; one that somebody stopped, or that found no App Store, is the last.
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
    // What nobody asked for is worth a word only where it went wrong; the sweep's line tells the rest.
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

  // MARK: Sweeps that nobody starts

  /// After a refusal the next sweep is for the person to start: another would be refused as well.
  var mayStartByItself: Bool {
    !sweep.isActive && !isReadOnly && sweep.failure == nil && sweep.last?.stopped == nil
  }

  mutating func sweepByItself() -> [Effect] {
    guard let pause = rhythm.sweep, mayStartByItself, uptime >= sweep.endedAt + pause else { return [] }
    sweep.begin(.due, byItself: true)
    return [.startSweep(.due)]
  }
}
