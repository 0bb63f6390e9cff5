import Subscriptions

/// How long the answers of a sweep took: quantiles of the newest, and a histogram of all for OpenMetrics.
package struct Latencies: Sendable {
  /// Upper bounds of the buckets in seconds; a last bucket without bound holds the rest.
  package static let bounds: [Double] = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
  /// How many of the newest the quantiles are of.
  package static let memory = 1024

  /// Answers in each bucket alone, one more than `bounds`.
  private var tally = Array(repeating: 0, count: bounds.count + 1)
  private var total: Int64 = 0
  private var newest: [Int64] = []
  private var next = 0

  package init() {}

  /// - Parameter latency: microseconds.
  package mutating func take(_ latency: Int64) {
    let latency = max(latency, 0)
    let seconds = Double(latency) / 1_000_000
    tally[Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count] += 1
    total += latency
    if newest.count < Self.memory {
      newest.append(latency)
    } else {
      newest[next] = latency
      next = (next + 1) % Self.memory
    }
  }

  package var count: Int { tally.reduce(0, +) }

  /// Of all answers, in seconds.
  package var sum: Double { Double(total) / 1_000_000 }

  /// Answers that took at most each of the bounds, and all of them at the end, as OpenMetrics counts.
  package var buckets: [Int] {
    var sum = 0
    return tally.map {
      sum += $0
      return sum
    }
  }

  /// Of the newest answers; nil where there are none.
  package var quantiles: LatencyQuantiles? {
    guard !newest.isEmpty else { return nil }
    let sorted = newest.sorted()
    // The nearest rank: the least value that at least this share of the values does not exceed.
    let at: (Int) -> Double = { Double(sorted[(sorted.count * $0 + 99) / 100 - 1]) / 1000 }
    return LatencyQuantiles(p50: at(50), p95: at(95))
  }
}
