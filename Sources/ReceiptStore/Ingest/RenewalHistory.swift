import Subscriptions

/// Sets of renewal infos that a chain has had, independent of the order in which answers arrived.
typealias RenewalHistory = Runs<Set<RenewalInfo>>

extension Runs<Set<RenewalInfo>> {
  /// Creates a history from stored observations. A set holds until the `observedAfter` of the next.
  ///
  /// - Parameters:
  ///   - observations: Observations, oldest first.
  ///   - last: Last validation with renewal infos, which showed the newest set.
  init(_ observations: [RenewalObservation], last: Instant?) {
    var runs: [Run] = []
    for seen in observations {
      if runs.last?.from == seen.observedAt {
        runs[runs.count - 1].value.insert(seen.info)
        continue
      }
      if let place = runs.indices.last, let through = seen.observedAfter {
        runs[place].through = max(runs[place].from, through)
      }
      runs.append(Run(from: seen.observedAt, through: seen.observedAt, value: [seen.info]))
    }
    if let place = runs.indices.last, let last { runs[place].through = max(runs[place].from, last) }
    self.init(runs)
  }

  /// One observation for each info, in a deterministic order.
  var observations: [RenewalObservation] {
    runs.indices.flatMap { index in
      let after = index > 0 ? runs[index - 1].through : nil
      return runs[index].value.sorted { $0.digest < $1.digest }.map {
        RenewalObservation(info: $0, observedAfter: after, observedAt: runs[index].from)
      }
    }
  }
}
