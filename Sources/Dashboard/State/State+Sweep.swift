import Screen
import Subscriptions

extension State {
  mutating func startSweep(_ selection: SweepSelection) -> [Effect] {
    guard !sweep.isActive else {
      say("A sweep is running; x stops it.", .warn)
      return []
    }
    sweep.begin(selection)
    return [.startSweep(selection)]
  }

  /// The receipts of the chain shown.
  mutating func sweepChain() -> [Effect] {
    guard case .chain(let view)? = layers.last else { return [] }
    let id = view.chain.originalTransactionId
    let effects = startSweep(.chain(id))
    if !effects.isEmpty { say("Asking Apple about chain \(id).") }
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
      say("No sweep is running.")
      return []
    }
    sweep.activity = .stopping(sweep.progress)
    return [.stopSweep]
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
    return reload()
  }

  mutating func sweepFailed(_ reason: String) -> [Effect] {
    sweep.end(at: uptime)
    sweep.failure = reason
    say(reason, .bad)
    return reload()
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
