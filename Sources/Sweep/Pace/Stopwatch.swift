/// The time since a sweep began, by a clock that nobody sets.
package struct Stopwatch: Sendable {
  private let start = ContinuousClock.now

  package init() {}

  /// Milliseconds, rounded down.
  package var elapsed: Int64 { microseconds / 1000 }

  package var microseconds: Int64 { Int64((ContinuousClock.now - start) / .microseconds(1)) }
}
