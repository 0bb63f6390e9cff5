/// Monotonic time since the stopwatch was created.
package struct Stopwatch: Sendable {
  private let start = ContinuousClock.now

  package init() {}

  /// Elapsed milliseconds, rounded down.
  package var elapsed: Int64 { microseconds / 1000 }

  package var microseconds: Int64 { Int64((ContinuousClock.now - start) / .microseconds(1)) }
}
