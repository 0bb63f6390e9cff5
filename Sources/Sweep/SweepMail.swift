import Subscriptions
import Synchronization

/// Passes progress on to the watcher, at most ten times a second except for posts with `isLast`.
final class SweepMail: Sendable {
  let watcher: @Sendable (SweepEvent) -> Void
  /// Start time of the program's clock, which is faster than real time in some demonstrations.
  let started: Instant
  /// Real time, for rates.
  private let stopwatch: Stopwatch
  private let state = Mutex(State())

  private struct State {
    var total = 0
    var nextPost: Int64 = 0
    var isClosed = false
  }

  init(watcher: @escaping @Sendable (SweepEvent) -> Void, started: Instant, stopwatch: Stopwatch) {
    self.watcher = watcher
    self.started = started
    self.stopwatch = stopwatch
  }

  /// Milliseconds since the sweep was created.
  var elapsed: Int64 { stopwatch.elapsed }

  func expect(_ total: Int) { state.withLock { $0.total = total } }

  func expect(more count: Int) { state.withLock { $0.total += count } }

  /// Suppresses further progress, so that the end is the last event.
  func close() { state.withLock { $0.isClosed = true } }

  /// - Parameters:
  ///   - isLast: posts even if there has just been a post.
  ///   - progress: returns the progress, given the milliseconds since the start and the expected receipts.
  func post(isLast: Bool, _ progress: (Int64, Int) -> SweepProgress) {
    let elapsed = self.elapsed
    let total: Int? = state.withLock { state in
      guard !state.isClosed, isLast || elapsed >= state.nextPost else { return nil }
      state.nextPost = elapsed + 100
      return state.total
    }
    guard let total else { return }
    watcher(.progress(progress(elapsed, total)))
  }
}

/// Adapts the number of answers per commit. Larger commits cost less per answer, but they block other writers
/// longer, such as a notification that has to be stored and acknowledged within 100 ms.
package struct CommitSize: Sendable {
  /// Desired duration of a commit, in milliseconds.
  package static let target = 30.0
  /// Minimum number of answers. In smaller commits, the disk dominates the cost.
  package static let least = 4

  let most: Int
  package private(set) var value: Int

  /// Starts with a low value because the cost of an answer is not known yet.
  package init(most: Int) {
    self.most = max(most, 1)
    value = min(32, self.most)
  }

  /// Adapts the value to the duration of a commit.
  ///
  /// - Parameters:
  ///   - count: answers in the commit.
  ///   - milliseconds: its duration, including waits for other writers.
  package mutating func take(_ count: Int, in milliseconds: Double) {
    guard count > 0 else { return }
    let fitting = Double(count) * Self.target / max(milliseconds, 0.1)
    // Moves only half way, since the disk or another writer may have slowed down this one commit.
    let next = (Double(value) + min(fitting, 2 * Double(value))) / 2
    value = min(max(Int(next.rounded()), min(Self.least, most)), most)
  }
}

/// Latencies of the most recent answers of a sweep.
package struct Latencies: Sendable {
  /// Number of answers that the quantiles are computed from.
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

  package var quantiles: LatencyQuantiles? {
    guard !newest.isEmpty else { return nil }
    let sorted = newest.sorted()
    // Nearest rank: the least value that at least this share of the values does not exceed.
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
