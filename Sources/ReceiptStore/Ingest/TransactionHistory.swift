import Subscriptions

/// Ends of a period as validations showed them.
struct ShownEnds: Hashable {
  var ends: PeriodEnds
  /// Whether only `in_app` showed them, which lags: it adds missing values and takes nothing back.
  var isLagging: Bool

  /// Combines two answers of the same instant.
  static func sum(_ left: Self, _ right: Self) -> Self {
    Self(ends: left.ends.adding(right.ends), isLagging: left.isLagging && right.isLagging)
  }
}

typealias TransactionHistory = Runs<ShownEnds>

extension Runs<ShownEnds> {
  /// Known ends, oldest first. An answer replaces them, and a lagging one adds to them.
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
