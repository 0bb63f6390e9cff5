import Subscriptions

/// A row of a receipt as it will be once everything has happened to it, with the instants from which the store shows what.
struct LifeRow: Sendable {
  var transaction: Transaction
  /// A renewal is shown up to 24 h before it begins.
  var visibleFrom: Instant
  /// When the cancellation date appears; meaningless without one.
  var cancelledFrom: Instant = .distantFuture
  /// When `is_upgraded` appears; meaningless without it.
  var upgradedFrom: Instant = .distantFuture
  /// The store billed it by itself.
  var isRenewal = false
  /// Another device's copy of a purchase, of which nobody is told.
  var isRestored = false

  /// The row as an answer of that instant gives it; nil before it is shown.
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

  /// The last instant up to `t` at which this row changed.
  func lastChange(upTo t: Instant) -> Instant? {
    guard visibleFrom <= t else { return nil }
    return [visibleFrom, cancelledFrom, upgradedFrom].filter { $0 <= t }.max()
  }
}

/// What `pending_renewal_info` says of a chain from an instant on, until the next span begins.
struct RenewalSpan: Sendable {
  var from: Instant
  /// Nil where Apple removes the entry: a customer who cancels in the grace period.
  var info: RenewalInfo?
}
