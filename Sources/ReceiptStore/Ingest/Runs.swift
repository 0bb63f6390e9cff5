import Subscriptions

/// Observed values of one thing in order of time, as runs of validations that showed the same value.
///
/// Together with the instants of the validations, the runs determine what each validation showed. So they do
/// not depend on the order in which validations arrived. A validation without a value ends a run, too.
package struct Runs<Value: Equatable>: Equatable {
  package struct Run: Equatable {
    package var from: Instant
    package var through: Instant
    package var value: Value

    package init(from: Instant, through: Instant, value: Value) {
      self.from = from
      self.through = through
      self.value = value
    }
  }

  package private(set) var runs: [Run] = []

  package init(_ runs: [Run] = []) { self.runs = runs }

  /// Adds the value of one validation.
  ///
  /// - Parameters:
  ///   - value: `nil` if the validation showed none.
  ///   - validations: All validations added before.
  ///   - sum: Combines the values of two validations at the same instant. Must be commutative.
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
