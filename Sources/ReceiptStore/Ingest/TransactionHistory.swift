import Subscriptions

/// What validations showed of the end of a period.
struct ShownEnds: Hashable {
  var ends: PeriodEnds
  /// Shown by `in_app` alone, which lags: it adds what was unknown and takes nothing back.
  var isLagging: Bool

  /// What two answers of the same instant say together.
  static func sum(_ left: Self, _ right: Self) -> Self {
    Self(ends: left.ends.adding(right.ends), isLagging: left.isLagging && right.isLagging)
  }
}

typealias TransactionHistory = Runs<ShownEnds>

extension Runs<ShownEnds> {
  /// The ends that were known, oldest first: an answer sets them, and one that lags adds to them.
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
