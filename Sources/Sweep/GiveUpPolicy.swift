import ReceiptStore
import Subscriptions

/// Conditions under which a receipt is given up after repeated failures.
///
/// During outages, the App Store has returned 21002, 21003, 21007 and 21010 for valid receipts. A single
/// failure is therefore never believed. A failure that many receipts share is believed only after `span`.
public struct GiveUpPolicy: Hashable, Sendable {
  public var tries = 10
  /// Minimum milliseconds from the first of the consecutive failures to giving up after `tries` failures.
  public var span = 3 * Milliseconds.day
  /// Minimum milliseconds that a verdict or 21010 must repeat before a once valid receipt is given up.
  public var verdictSpan = Milliseconds.hour
  /// Number of failures in a row, ending in a 21002, after which a receipt that was never valid is given up.
  public var malformedTries = 5

  public static let standard = GiveUpPolicy()

  public init() {}

  /// Returns whether to give a receipt up for the failure `failing`, after the earlier failures in `history`.
  ///
  /// - Parameter isBurst: Whether the App Store is the likely cause of failures of this kind.
  package func isExhausted(
    by failing: FailedAttempt, after history: FailureHistory, isBurst: Bool, at now: Instant
  ) -> Bool {
    // These failures say nothing about the receipt, however often they occur.
    if [.unproven, .untrusted, .otherApp, .tooLong].contains(failing.kind) { return false }
    let count = history.failures + 1
    if count >= tries, let since = history.since, now - since >= span, !isBurst { return true }
    // A different failure in between restarts the verdict's time, because errors vary during an outage.
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

/// Wait after failures: exponential with full jitter, so that failed receipts do not all become due at once.
public struct Backoff: Hashable, Sendable {
  /// Upper bound of the first wait, in milliseconds.
  public var base: Int64
  /// Maximum wait in milliseconds, which also limits a wait that the server requests.
  public var longest: Int64

  public static let standard = Backoff()
  /// Backoff between the attempts of one sweep, short because a user may be waiting.
  public static let withinSweep = Backoff(base: 2 * Milliseconds.second, longest: 30 * Milliseconds.second)

  /// Backoff after an answer over the size limit: short at first, in case the size was an error, then long,
  /// because a history never shrinks.
  static let tooLong = Backoff(base: 6 * Milliseconds.hour, longest: 7 * Milliseconds.day)

  public init(base: Int64 = Milliseconds.minute, longest: Int64 = 6 * Milliseconds.hour) {
    (self.base, self.longest) = (base, longest)
  }

  /// Returns the milliseconds to wait: `chance` (0 to 1) times the upper bound after `failures` failures, but
  /// at least `retryAfter` seconds.
  public func wait(failures: Int, chance: Double, retryAfter: Int? = nil) -> Int64 {
    let doublings = Double(sign: .plus, exponent: min(max(failures, 1) - 1, 60), significand: 1)
    let ceiling = min(Double(base) * doublings, Double(longest))
    let jittered = Int64(ceiling * min(max(chance, 0), 1))
    let asked = min(Int64(retryAfter ?? 0), longest / Milliseconds.second) * Milliseconds.second
    return max(jittered, asked)
  }
}
