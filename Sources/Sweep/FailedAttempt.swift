import Subscriptions

/// Failed attempt to validate a receipt, with a message for the user.
package struct FailedAttempt: Hashable, Sendable {
  /// Kind of a failure, which determines retries, giving up, and the estimate of the App Store's health.
  package enum Kind: Hashable, Sendable {
    /// No answer, an unreadable answer, an unexpected HTTP status, or a temporary error status from Apple.
    case passing
    /// The answer makes no sense for this receipt, but answers about other receipts may be correct.
    case puzzling
    /// The answer shows no purchase that is known to belong to the receipt or customer.
    case unproven
    case untrusted
    /// The answer is correctly signed, but unreadable, undated or for another environment.
    case unusable
    case otherApp
    case tooLong
    /// 21002: the receipt is malformed, or the App Store fails; only further attempts show which.
    case malformed
    /// Permanent rejection, such as 21003, which a failing App Store also returns for valid receipts.
    case verdict
    /// 21010 or the Server API's 4040001: the account is gone, or the App Store fails.
    case gone
  }

  package var kind: Kind
  /// Message for the user; equal failures have equal messages, so that repetitions are recognized.
  package var reason: String
  package var retryAfter: Int?

  /// Whether the same request could get a different answer within the sweep.
  package var isWorthAnotherTry: Bool { kind != .tooLong && kind != .unusable }

  /// Reason to stop an app whose requests all fail like this; `nil` if the failure is not about the app.
  var distrust: StoppedApp.Reason? { kind == .untrusted ? .untrusted : kind == .otherApp ? .otherApp : nil }

  package init(_ kind: Kind, _ reason: String, retryAfter: Int? = nil) {
    (self.kind, self.reason, self.retryAfter) = (kind, reason, retryAfter)
  }
}

/// Results of a sweep's requests, which show whether the App Store or a receipt causes the failures.
struct AppStoreHealth: Sendable {
  /// Most recent results: the kind of the failure, or `nil` for an answer with data.
  private var newest: [FailedAttempt.Kind?] = []
  /// Whether any request reached an App Store; until then, failures are no evidence about the receipts.
  private(set) var isReached = false
  private var streak = 0
  private var lastAnswer: Int64 = 0
  private let mostFailures: Int

  private static let size = 100
  /// Consecutive failures that end a sweep if no App Store was reached, or none answered for a minute.
  ///
  /// The number is low because each failure may be a timeout.
  private static let fewFailures = 5

  /// Sets `mostFailures` above `concurrency`, because all parallel requests may fail for one cause.
  init(concurrency: Int) { mostFailures = max(20, 2 * concurrency) }

  mutating func answer(at elapsed: Int64) { (isReached, streak, lastAnswer) = (true, 0, elapsed) }

  /// Records a temporary failure, and returns the reason to end the sweep; `nil` to continue.
  mutating func fail(isUnreachable: Bool, at elapsed: Int64) -> SweepSummary.Stop? {
    isReached = isReached || !isUnreachable
    streak += 1
    guard isReached else { return streak >= Self.fewFailures ? .unreachable : nil }
    let isLong = streak >= Self.fewFailures && elapsed - lastAnswer >= Milliseconds.minute
    return streak >= mostFailures || isLong ? .unavailable : nil
  }

  mutating func take(_ kind: FailedAttempt.Kind?) {
    if newest.count == Self.size { newest.removeFirst() }
    newest.append(kind)
  }

  /// Whether there are enough results of other receipts to judge a failure by comparison.
  var isConclusive: Bool { newest.count >= 20 }

  /// Whether failures of a kind are so frequent that the App Store is their likely cause.
  ///
  /// A kind that is typical of outages needs two failures (one if there are fewer than four results), other
  /// kinds ten. The kind's share of the newest results must exceed 5 % for the rare status 21002, and 25 %
  /// for other kinds. In an old store, many accounts may be gone without an outage (21010).
  func isBurst(of kind: FailedAttempt.Kind) -> Bool {
    let isOfOutages = kind == .malformed || kind == .passing
    let fewest = isOfOutages ? (newest.count < 4 ? 1 : 2) : 10
    let share = kind == .malformed ? 0.05 : 0.25
    let count = newest.count { $0 == kind }
    return count >= fewest && Double(count) > share * Double(newest.count)
  }
}
