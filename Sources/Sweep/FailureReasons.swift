import Subscriptions

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
