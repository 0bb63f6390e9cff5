import Subscriptions

/// What validations showed of the end of a period: full ones, and apart from them those that asked for the newest transaction
/// of each subscription alone.
///
/// A partial answer that leaves a transaction out says nothing of it, so the two kinds are counted each on its own: neither
/// ends a run of the other's.
struct Sightings {
  var full = TransactionHistory()
  var partial = TransactionHistory()

  /// - Parameter log: every validation that was taken before.
  mutating func take(_ shown: ShownEnds?, at t: Instant, isPartial: Bool, log: ValidationLog) {
    if isPartial {
      partial.take(shown, at: t, validations: log.partial, sum: ShownEnds.sum)
    } else {
      full.take(shown, at: t, validations: log.full, sum: ShownEnds.sum)
    }
  }

  /// What was known by an instant.
  func known(at t: Instant, log: ValidationLog) -> Self {
    Sightings(
      full: full.known(at: t, validations: log.full), partial: partial.known(at: t, validations: log.partial))
  }

  /// The ends that were known, oldest first.
  func knownEnds(_ log: ValidationLog) -> [EndsObservation] {
    guard !partial.runs.isEmpty else { return full.knownEnds }
    guard !full.runs.isEmpty else { return partial.knownEnds }
    return TransactionHistory(together(log)).knownEnds
  }

  /// Whether anything but one and the same was ever shown.
  var haveChanged: Bool { Set((full.runs + partial.runs).map(\.value)).count > 1 }

  /// Both kinds in order of time, sighting by sighting where they differ.
  private func together(_ log: ValidationLog) -> [TransactionHistory.Run] {
    let all = full.runs + partial.runs
    guard haveChanged else {
      guard let from = all.map(\.from).min(), let through = all.map(\.through).max() else { return [] }
      return [.init(from: from, through: through, value: all[0].value)]
    }
    var shown: [Instant: ShownEnds] = [:]
    for (runs, validations) in [(full.runs, log.full), (partial.runs, log.partial)] {
      for run in runs {
        for t in Set(validations.within(run.from, run.through) + [run.from, run.through]) {
          shown[t] = shown[t].map { ShownEnds.sum($0, run.value) } ?? run.value
        }
      }
    }
    return shown.sorted { $0.key < $1.key }.map { .init(from: $0.key, through: $0.key, value: $0.value) }
  }
}
