import Subscriptions

/// Observed expiry, cancellation and upgrade of a period, separately for full and partial validations.
///
/// A partial answer that omits a transaction proves nothing about it, so validations of one kind do not end
/// runs of the other kind.
struct TransactionObservations {
  var full = TransactionHistory()
  var partial = TransactionHistory()

  mutating func take(_ shown: ObservedTerms?, at t: Instant, isPartial: Bool, log: ValidationLog) {
    if isPartial {
      partial.take(shown, at: t, validations: log.partial, sum: ObservedTerms.sum)
    } else {
      full.take(shown, at: t, validations: log.full, sum: ObservedTerms.sum)
    }
  }

  func known(at t: Instant, log: ValidationLog) -> Self {
    TransactionObservations(
      full: full.known(at: t, validations: log.full), partial: partial.known(at: t, validations: log.partial))
  }

  func knownEnds(_ log: ValidationLog) -> [EndsObservation] {
    guard !partial.runs.isEmpty else { return full.knownEnds }
    guard !full.runs.isEmpty else { return partial.knownEnds }
    return TransactionHistory(together(log)).knownEnds
  }

  var haveChanged: Bool { Set((full.runs + partial.runs).map(\.value)).count > 1 }

  /// Returns the runs of both kinds merged by time; if values differ, each validation is a separate run.
  private func together(_ log: ValidationLog) -> [TransactionHistory.Run] {
    let all = full.runs + partial.runs
    guard haveChanged else {
      guard let from = all.map(\.from).min(), let through = all.map(\.through).max() else { return [] }
      return [.init(from: from, through: through, value: all[0].value)]
    }
    var shown: [Instant: ObservedTerms] = [:]
    for (runs, validations) in [(full.runs, log.full), (partial.runs, log.partial)] {
      for run in runs {
        for t in Set(validations.within(run.from, run.through) + [run.from, run.through]) {
          shown[t] = shown[t].map { ObservedTerms.sum($0, run.value) } ?? run.value
        }
      }
    }
    return shown.sorted { $0.key < $1.key }.map { .init(from: $0.key, through: $0.key, value: $0.value) }
  }
}

/// Ends of a period (expiry, cancellation, upgrade) that one validation showed.
struct ObservedTerms: Hashable {
  var ends: PeriodEnds
  /// Whether the ends may be outdated, as in `in_app`; such ends add missing values, but remove none.
  var isLagging: Bool

  static func sum(_ left: Self, _ right: Self) -> Self {
    Self(ends: left.ends.adding(right.ends), isLagging: left.isLagging && right.isLagging)
  }
}

typealias TransactionHistory = ObservationIntervals<ObservedTerms>

extension ObservationIntervals<ObservedTerms> {
  /// Versions of the transaction's end fields (expiry, cancellation, upgrade), oldest observation first.
  ///
  /// An answer replaces the version before it. A lagging answer can only add or extend values.
  var knownEnds: [EndsObservation] {
    var known: [EndsObservation] = []
    for run in runs {
      let old = known.last?.ends
      let ends = run.value.isLagging ? old?.adding(run.value.ends) ?? run.value.ends : run.value.ends
      if ends != old {
        known.append(EndsObservation(ends: ends, from: run.from, through: run.through))
      } else if run.value.ends == ends {
        known[known.count - 1].through = run.through
      }
    }
    return known
  }
}

/// Observed values of one property in order of time, as runs of validations that showed the same value.
///
/// The runs and the instants of all validations determine what each validation showed, so the order in which
/// answers arrive does not matter. A validation without a value ends a run.
package struct ObservationIntervals<Value: Equatable>: Equatable {
  /// Value, with the instants of the first and last of the consecutive validations that showed it.
  package struct Run: Equatable {
    package var from: Instant
    package var through: Instant
    package var value: Value

    package init(from: Instant, through: Instant, value: Value) {
      (self.from, self.through, self.value) = (from, through, value)
    }
  }

  package private(set) var runs: [Run] = []

  package init(_ runs: [Run] = []) { self.runs = runs }

  /// Adds the value of one validation; `sum`, which must be commutative, combines values at the same instant.
  package mutating func take(
    _ value: Value?, at t: Instant, validations: ValidationLog.Instants, sum: (Value, Value) -> Value
  ) {
    let place = runs.firstIndex { $0.through >= t } ?? runs.count
    var (shown, pieces, rest) = (value, [Run](), runs[place...])
    if let hit = rest.first, hit.from <= t {
      rest = rest.dropFirst()
      if validations.contains(t) { shown = value.map { sum(hit.value, $0) } ?? hit.value }
      if hit.from < t, let before = validations.last(before: t) {
        pieces.append(Run(from: hit.from, through: before, value: hit.value))
      }
      if let shown { pieces.append(Run(from: t, through: t, value: shown)) }
      if hit.through > t, let after = validations.first(after: t) {
        pieces.append(Run(from: after, through: hit.through, value: hit.value))
      }
    } else if let shown {
      pieces = [Run(from: t, through: t, value: shown)]
    }
    join(Array(runs[..<place]) + pieces + Array(rest), across: t, validations)
  }

  /// Joins adjacent runs of the same value, unless a validation between them showed something else.
  private mutating func join(_ pieces: [Run], across t: Instant, _ validations: ValidationLog.Instants) {
    runs = []
    for piece in pieces {
      if let last = runs.last, last.value == piece.value, last.through >= t || piece.from <= t,
        (validations.first(after: last.through) ?? .distantFuture) >= piece.from
      {
        runs[runs.count - 1].through = piece.through
      } else {
        runs.append(piece)
      }
    }
  }

  package func known(at t: Instant, validations: ValidationLog.Instants) -> Self {
    guard let last = validations.last(through: t) else { return Self() }
    return Self(
      runs.filter { $0.from <= t }.map {
        Run(from: $0.from, through: min($0.through, last), value: $0.value)
      })
  }
}
