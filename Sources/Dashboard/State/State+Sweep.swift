import Screen
import Subscriptions

extension State {
  mutating func startSweep(_ selection: SweepSelection) -> [Effect] {
    guard !sweep.isActive else {
      say("A sweep is running; x stops it.", .warn)
      return []
    }
    sweep.begin()
    return [.startSweep(selection)]
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
    if !sweep.isActive { sweep.begin() }
  }

  mutating func sweepAdvanced(to progress: SweepProgress) -> [Effect] {
    if progress.counts.changed > sweep.progress?.counts.changed ?? 0 { inquiries.isOutdated = true }
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
    sweep.begin(byItself: true)
    return [.startSweep(.due)]
  }
}

extension SweepSummary {
  /// What it came to, for a toast.
  var inOneSentence: (text: String, level: Toast.Level) {
    switch stopped {
    case .secretRefused?:
      ("Sweep stopped: Apple refused the shared secret (21004). Nothing was changed.", .bad)
    case .unreachable?: ("Sweep stopped: the App Store could not be reached. Nothing was changed.", .bad)
    case .interrupted?: ("Sweep stopped after \(CountText.of(counts.done, "receipt")): \(outcome).", .info)
    case nil where counts.picked == 0: ("Nothing was due.", .info)
    case nil:
      (
        "Swept \(CountText.of(counts.done, "receipt")) in \(AgeText.of(elapsed)): \(outcome).",
        counts.retryLater + counts.rejected > 0 ? .warn : .good
      )
    }
  }

  private var outcome: String {
    var parts = ["\(CountText.of(counts.changed)) changed"]
    if counts.retryLater > 0 { parts.append("\(CountText.of(counts.retryLater)) for later") }
    if counts.rejected > 0 { parts.append("\(CountText.of(counts.rejected)) rejected") }
    return parts.joined(separator: ", ")
  }
}
