import Subscriptions

/// How long the newest answers of a sweep took.
package struct Latencies: Sendable {
  /// How many of the newest the quantiles are of.
  package static let memory = 1024

  private var newest: [Int64] = []
  private var next = 0

  package init() {}

  /// - Parameter latency: microseconds.
  package mutating func take(_ latency: Int64) {
    let latency = max(latency, 0)
    if newest.count < Self.memory {
      newest.append(latency)
    } else {
      newest[next] = latency
      next = (next + 1) % Self.memory
    }
  }

  /// Nil where there are no answers.
  package var quantiles: LatencyQuantiles? {
    guard !newest.isEmpty else { return nil }
    let sorted = newest.sorted()
    // The nearest rank: the least value that at least this share of the values does not exceed.
    let at: (Int) -> Double = { Double(sorted[(sorted.count * $0 + 99) / 100 - 1]) / 1000 }
    return LatencyQuantiles(p50: at(50), p95: at(95))
  }
}
