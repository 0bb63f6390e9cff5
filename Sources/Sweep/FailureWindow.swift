/// What the newest answers had in common, to tell a receipt's trouble from the App Store's.
package struct FailureWindow: Hashable, Sendable {
  private var newest: [FailedAttempt.Kind?] = []
  private var next = 0

  /// Answers that are looked at.
  private static let size = 100
  /// Fewer verdicts than so many are no burst, whatever their share.
  private static let least = 10
  /// With so many answers a single failure is no burst either.
  private static let fewest = 4

  package init() {}

  /// - Parameter kind: nil for an answer that carried data.
  package mutating func take(_ kind: FailedAttempt.Kind?) {
    guard newest.count == Self.size else {
      newest.append(kind)
      return
    }
    newest[next] = kind
    next = (next + 1) % Self.size
  }

  /// Whether enough has been seen to tell one from the other.
  package var isTelling: Bool { newest.count >= 2 * Self.least }

  /// Whether failures of a kind come in such numbers that they tell of the App Store. In an ordinary population 21002 is
  /// rare, while an old one may hold many accounts that are gone.
  ///
  /// What an outage looks like needs others that were answered to be held against a receipt, however few there are: a sweep
  /// in which everybody fails tells nothing of anybody.
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
