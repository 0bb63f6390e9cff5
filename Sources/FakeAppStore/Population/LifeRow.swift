import Subscriptions

/// A transaction with all of its later changes, and the instants from which the store shows them.
struct LifeRow: Sendable {
  var transaction: Transaction
  /// A renewal is visible up to 24 h before it begins.
  var visibleFrom: Instant
  /// Instant at which the cancellation date appears; irrelevant without one.
  var cancelledFrom: Instant = .distantFuture
  /// Instant at which `is_upgraded` appears; irrelevant without it.
  var upgradedFrom: Instant = .distantFuture
  var isRenewal = false
  /// Whether it is a copy from a restore on another device, which causes no notification.
  var isRestored = false

  /// Returns the transaction as Apple shows it at `t`; `nil` before it is visible.
  func transaction(at t: Instant) -> Transaction? {
    guard visibleFrom <= t else { return nil }
    var seen = transaction
    if cancelledFrom > t {
      seen.cancellationDate = nil
      seen.cancellationReason = nil
    }
    if upgradedFrom > t { seen.isUpgraded = false }
    return seen
  }

  func lastChange(upTo t: Instant) -> Instant? {
    guard visibleFrom <= t else { return nil }
    return [visibleFrom, cancelledFrom, upgradedFrom].filter { $0 <= t }.max()
  }
}

/// A chain's `pending_renewal_info` from an instant on, until the next span begins.
struct RenewalSpan: Sendable {
  var from: Instant
  /// `nil` if Apple removes the entry, which happens when a customer cancels in the grace period.
  var info: RenewalInfo?
}
