import Subscriptions

/// Failed attempt to validate a receipt, with a message for the user.
package struct FailedAttempt: Hashable, Sendable {
  /// Kind of a failure. It determines retries, giving up, and the estimate of the App Store's health.
  package enum Kind: Hashable, Sendable {
    case passing
    /// The answer makes no sense for this receipt. The App Store as a whole may be fine.
    case puzzling
    /// The answer contains purchases, but none is known to belong to the receipt.
    case unproven
    /// The answer has no trusted signature.
    case untrusted
    /// The answer is correctly signed but cannot be used.
    case unusable
    case otherApp
    case tooLong
    /// 21002: either the receipt is malformed or Apple has a failure. Only further attempts distinguish them.
    case malformed
    /// Further requests are useless, provided that the answer is right.
    case verdict
    /// 21010: the account is gone, provided that the answer is right.
    case gone
  }

  package var kind: Kind
  /// Message for the user. It is the same for the same failure, so that repetitions are recognized.
  package var reason: String
  package var retryAfter: Int?

  /// Whether the same request could be answered differently within the sweep.
  package var isWorthAnotherTry: Bool { kind != .tooLong && kind != .unusable }

  /// Reason to stop an app that gets only such failures; `nil` if they do not concern the app.
  var distrust: StoppedApp.Reason? {
    kind == .untrusted ? .untrusted : kind == .otherApp ? .otherApp : nil
  }

  package init(_ kind: Kind, _ reason: String, retryAfter: Int? = nil) {
    self.kind = kind
    self.reason = reason
    self.retryAfter = retryAfter
  }
}

/// Results of a sweep's requests, which show whether the App Store is down, and whether a failure is about a
/// receipt or about the App Store.
struct AppStoreHealth: Sendable {
  /// Kinds of the most recent failures; `nil` for an answer that carried data.
  private var newest: [FailedAttempt.Kind?] = []
  /// Whether any request found an App Store. Until then, failures are no evidence about the receipts.
  private(set) var isReached = false
  private var streak = 0
  private var lastAnswer: Int64 = 0
  private let mostFailures: Int

  private static let size = 100
  /// Number of failures that suffices before the first answer, or after a minute without one. With one
  /// request at a time, each timing out, more failures would take too long.
  private static let fewFailures = 5

  /// - Parameter concurrency: maximum number of requests at once, which may all fail for one cause.
  init(concurrency: Int) { mostFailures = max(20, 2 * concurrency) }

  mutating func answer(at elapsed: Int64) { (isReached, streak, lastAnswer) = (true, 0, elapsed) }

  /// Records a temporary failure.
  ///
  /// - Returns: the reason to end the sweep, if there is one.
  mutating func fail(isUnreachable: Bool, at elapsed: Int64) -> SweepSummary.Stop? {
    isReached = isReached || !isUnreachable
    streak += 1
    guard isReached else { return streak >= Self.fewFailures ? .unreachable : nil }
    let isLong = streak >= Self.fewFailures && elapsed - lastAnswer >= Milliseconds.minute
    return streak >= mostFailures || isLong ? .unavailable : nil
  }

  /// Records the result for a receipt.
  ///
  /// - Parameter kind: `nil` for an answer that carried data.
  mutating func take(_ kind: FailedAttempt.Kind?) {
    if newest.count == Self.size { newest.removeFirst() }
    newest.append(kind)
  }

  /// Whether there are enough results to judge a failure by comparison with other receipts.
  var isTelling: Bool { newest.count >= 20 }

  /// Whether failures of a kind are so frequent that the App Store is their likely cause. In an ordinary
  /// population 21002 is rare, while an old one may contain many accounts that are gone.
  ///
  /// Failures that are typical of an outage count against a receipt only if other receipts were answered,
  /// even in a short sweep.
  func isBurst(of kind: FailedAttempt.Kind) -> Bool {
    let isOfOutages = kind == .malformed || kind == .passing
    let fewest = isOfOutages ? (newest.count < 4 ? 1 : 2) : 10
    let share = kind == .malformed ? 0.05 : 0.25
    let count = newest.count { $0 == kind }
    return count >= fewest && Double(count) > share * Double(newest.count)
  }
}
