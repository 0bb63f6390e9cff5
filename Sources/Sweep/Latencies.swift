import Subscriptions

package struct Latencies: Sendable {
  /// Number of newest answers from which the quantiles are computed.
  package static let memory = 1024

  private var newest: [Int64] = []

  package init() {}

  package mutating func take(_ latency: Int64) {
    if newest.count == Self.memory { newest.removeFirst() }
    newest.append(max(latency, 0))
  }

  package var quantiles: LatencyQuantiles? {
    guard !newest.isEmpty else { return nil }
    let sorted = newest.sorted()
    // Nearest rank: at least this share of the values is less than or equal to the result.
    let at: (Int) -> Double = { Double(sorted[(sorted.count * $0 + 99) / 100 - 1]) / 1000 }
    return LatencyQuantiles(p50: at(50), p95: at(95))
  }
}

/// Monotonic time since the stopwatch was created.
package struct Stopwatch: Sendable {
  private let start = ContinuousClock.now

  package init() {}

  /// Elapsed milliseconds, rounded down.
  package var elapsed: Int64 { microseconds / 1000 }

  package var microseconds: Int64 { Int64((ContinuousClock.now - start) / .microseconds(1)) }
}
