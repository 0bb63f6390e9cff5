import Subscriptions

/// Detects an outage of the App Store, so that a sweep ends instead of failing on every receipt.
package struct Outage: Hashable, Sendable {
  private var streak = 0
  private var lastSuccess: Int64 = 0
  private let mostFailures: Int

  /// Number of failures that suffices after a minute without an answer. With one request at a time, each
  /// timing out, more failures would take too long.
  private static let fewFailures = 5

  /// - Parameter concurrency: maximum number of requests at once, which may all fail for one cause.
  package init(concurrency: Int) { mostFailures = max(20, 2 * concurrency) }

  package mutating func succeed(at elapsed: Int64) {
    streak = 0
    lastSuccess = elapsed
  }

  /// - Returns: whether there is an outage.
  package mutating func fail(at elapsed: Int64) -> Bool {
    streak += 1
    return streak >= mostFailures
      || (streak >= Self.fewFailures && elapsed - lastSuccess >= Milliseconds.minute)
  }
}
