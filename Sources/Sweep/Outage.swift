import Subscriptions

/// Notices that the App Store has stopped being of use, so that a sweep ends instead of failing on every receipt.
package struct Outage: Hashable, Sendable {
  /// Requests that failed since the last one that did not.
  private var streak = 0
  private var lastSuccess: Int64 = 0
  private let mostFailures: Int

  /// So many failures are enough once a minute has passed without an answer: at one request a time, with all of
  /// them timing out, more would take too long.
  private static let fewFailures = 5

  /// - Parameter concurrency: requests at once at the most, which may all fail of one cause.
  package init(concurrency: Int) { mostFailures = max(20, 2 * concurrency) }

  package mutating func succeed(at elapsed: Int64) {
    streak = 0
    lastSuccess = elapsed
  }

  /// - Returns: whether it is an outage now.
  package mutating func fail(at elapsed: Int64) -> Bool {
    streak += 1
    return streak >= mostFailures
      || (streak >= Self.fewFailures && elapsed - lastSuccess >= Milliseconds.minute)
  }
}
