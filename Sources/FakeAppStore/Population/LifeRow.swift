import Subscriptions

/// Final state of a receipt row, with the instants from which the App Store shows each part of it.
struct LifeRow: Sendable {
  var transaction: Transaction
  /// Instant from which the row is visible: up to 24 h before a renewal begins, or later if paid in grace.
  var visibleFrom: Instant
  var cancelledFrom: Instant = .distantFuture
  var upgradedFrom: Instant = .distantFuture
  var isRenewal = false
  /// Whether the row is a copy from a restore on another device, which causes no notification.
  var isRestored = false

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

/// Content of `pending_renewal_info` for a chain, from an instant until the next span begins.
struct RenewalSpan: Sendable {
  var from: Instant
  /// Renewal info; `nil` if Apple removes it because the customer cancelled in the grace period.
  var info: RenewalInfo?
}

extension Transaction {
  /// Whether the purchase was refunded or revoked; the cancellation date of an upgraded row does not count.
  var isTakenBack: Bool { cancellationDate != nil && !self.isUpgraded }
}
