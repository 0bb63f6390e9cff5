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
