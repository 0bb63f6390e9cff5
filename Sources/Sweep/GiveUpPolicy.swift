import Subscriptions

/// How long a receipt's failures are waited out before it is believed that asking again will not help.
///
/// In its outages the App Store has given valid receipts 21002, 21003, 21007 and 21010, so nothing is believed at
/// first sight, and nothing while the same is said of many.
public struct GiveUpPolicy: Hashable, Sendable {
  /// Failures in succession, of any kind.
  public var tries = 10
  /// Milliseconds since the first of them.
  public var span = 3 * Milliseconds.day
  /// Milliseconds for which a verdict has to be said, and nothing else, of a receipt that was valid once.
  public var verdictSpan = Milliseconds.hour
  /// How often 21002 may come in succession for a receipt that never was valid.
  public var malformedTries = 5

  public static let standard = GiveUpPolicy()

  public init() {}
}

/// What is known of a receipt's failures when the next one is judged.
package struct FailureHistory: Hashable, Sendable {
  /// In succession, before this one.
  package var failures = 0
  /// When the first of them was.
  package var since: Instant?
  /// What the last of them was.
  package var lastReason: String?
  /// Since when it has been that and nothing else.
  package var sameSince: Instant?
  /// Whether an answer ever carried data.
  package var wasValidated = false

  package init() {}
}

extension GiveUpPolicy {
  /// Whether a receipt is to be taken out of the queue after this failure.
  ///
  /// - Parameter isBurst: whether failures of its kind come in such numbers that they tell of the App Store.
  package func isExhausted(
    by failing: FailedAttempt, after history: FailureHistory, isBurst: Bool, at now: Instant
  ) -> Bool {
    // They tell of the answer and nothing of the receipt, however often.
    if [.unproven, .untrusted, .otherApp, .tooLong].contains(failing.kind) { return false }
    let count = history.failures + 1
    if count >= tries, let since = history.since, now - since >= span, !isBurst { return true }
    // Another failure in between begins a verdict's time anew: an outage changes its error.
    let isSame = history.lastReason == failing.reason
    let age = isSame ? history.sameSince.map { now - $0 } ?? 0 : 0
    let isBelievable = !isBurst || (isSame && age >= span)
    switch failing.kind {
    case .passing, .puzzling, .unproven, .untrusted, .unusable, .otherApp, .tooLong: return false
    case .malformed: return !history.wasValidated && count >= malformedTries && isBelievable
    case .verdict, .gone: return isSame && isBelievable && (!history.wasValidated || age >= verdictSpan)
    }
  }
}
