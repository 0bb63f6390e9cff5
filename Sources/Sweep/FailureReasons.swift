import Subscriptions

/// Why receipts were left for a later try, with how many for each reason.
package struct FailureReasons: Sendable {
  private var counts: [String: Int] = [:]
  /// Those whose reasons are not kept.
  private var others = 0

  package init() {}

  /// Reasons kept at the most: what the other side says is in some of them.
  package static let most = 100

  /// What is counted together where there are more reasons.
  package static let other = "other reasons"

  package mutating func add(_ reason: String) {
    if counts[reason] != nil || counts.count < Self.most {
      counts[reason, default: 0] += 1
    } else {
      others += 1
    }
  }

  /// The most frequent first, and at the end what was not kept.
  package var tallies: [FailureTally] {
    counts.map { FailureTally(reason: $0, count: $1) }
      .sorted { $0.count == $1.count ? $0.reason < $1.reason : $0.count > $1.count }
      + (others > 0 ? [FailureTally(reason: Self.other, count: others)] : [])
  }
}
