import Subscriptions

/// Observed ends of a period, separately for full and partial validations.
///
/// A partial answer that omits a transaction proves nothing about it, so neither kind ends a run of the
/// other.
struct Sightings {
  var full = TransactionHistory()
  var partial = TransactionHistory()

  /// - Parameter log: All validations added before.
  mutating func take(_ shown: ShownEnds?, at t: Instant, isPartial: Bool, log: ValidationLog) {
    if isPartial {
      partial.take(shown, at: t, validations: log.partial, sum: ShownEnds.sum)
    } else {
      full.take(shown, at: t, validations: log.full, sum: ShownEnds.sum)
    }
  }

  func known(at t: Instant, log: ValidationLog) -> Self {
    Sightings(
      full: full.known(at: t, validations: log.full), partial: partial.known(at: t, validations: log.partial))
  }

  /// Returns the known ends, oldest first.
  func knownEnds(_ log: ValidationLog) -> [EndsObservation] {
    guard !partial.runs.isEmpty else { return full.knownEnds }
    guard !full.runs.isEmpty else { return partial.knownEnds }
    return TransactionHistory(together(log)).knownEnds
  }

  var haveChanged: Bool { Set((full.runs + partial.runs).map(\.value)).count > 1 }

  /// Merges both kinds by time, sighting by sighting if they differ.
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
