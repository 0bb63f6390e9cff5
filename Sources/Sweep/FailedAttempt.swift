import Subscriptions

package struct FailedAttempt: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// Temporary failure of Apple or the network.
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
    /// Asking again is useless, provided that the answer is right.
    case verdict
    /// 21010: the account is gone, provided that the answer is right.
    case gone
  }

  package var kind: Kind
  /// Message for the user. It is the same for the same failure, so that repetitions are recognized.
  package var reason: String
  /// Seconds requested by the server.
  package var retryAfter: Int?

  /// Whether the same request could be answered differently within the sweep.
  package var isWorthAnotherTry: Bool { kind != .tooLong && kind != .unusable }

  package init(_ kind: Kind, _ reason: String, retryAfter: Int? = nil) {
    self.kind = kind
    self.reason = reason
    self.retryAfter = retryAfter
  }
}

/// Counts of the receipts left for a later attempt, by reason.
package struct FailureReasons: Sendable {
  private var counts: [String: Int] = [:]
  /// Number of receipts whose reasons are not kept.
  private var others = 0

  package init() {}

  /// Maximum number of distinct reasons. Some contain text from the server.
  package static let most = 100

  package static let other = "other reasons"

  package mutating func add(_ reason: String) {
    if counts[reason] != nil || counts.count < Self.most {
      counts[reason, default: 0] += 1
    } else {
      others += 1
    }
  }

  /// Counts by reason, the most frequent first and `other` last.
  package var tallies: [FailureTally] {
    counts.map { FailureTally(reason: $0, count: $1) }
      .sorted { $0.count == $1.count ? $0.reason < $1.reason : $0.count > $1.count }
      + (others > 0 ? [FailureTally(reason: Self.other, count: others)] : [])
  }
}

/// Outcomes of the most recent answers, to distinguish a problem of a receipt from one of the App Store.
package struct FailureWindow: Hashable, Sendable {
  private var newest: [FailedAttempt.Kind?] = []
  private var next = 0

  private static let size = 100
  /// Minimum number of failures in a burst, except for `malformed` and `passing`.
  private static let least = 10
  /// Number of answers from which a single `malformed` or `passing` failure is no burst.
  private static let fewest = 4

  package init() {}

  /// - Parameter kind: `nil` for an answer that carried data.
  package mutating func take(_ kind: FailedAttempt.Kind?) {
    guard newest.count == Self.size else {
      newest.append(kind)
      return
    }
    newest[next] = kind
    next = (next + 1) % Self.size
  }

  /// Whether there are enough answers for a judgement.
  package var isTelling: Bool { newest.count >= 2 * Self.least }

  /// Whether failures of a kind are so frequent that the App Store is their likely cause. In an ordinary
  /// population 21002 is rare, while an old one may contain many accounts that are gone.
  ///
  /// Failures that are typical of an outage count against a receipt only if other receipts were answered,
  /// even in a short sweep.
  package func isBurst(of kind: FailedAttempt.Kind) -> Bool {
    let count = newest.count { $0 == kind }
    let all = Double(newest.count)
    switch kind {
    case .malformed: return Double(count) > max(0.05 * all, single)
    case .passing: return Double(count) > max(0.25 * all, single)
    case .puzzling, .unproven, .untrusted, .unusable, .otherApp, .tooLong, .verdict, .gone:
      return count >= Self.least && Double(count) > 0.25 * all
    }
  }

  private var single: Double { newest.count >= Self.fewest ? 1 : 0 }
}

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
