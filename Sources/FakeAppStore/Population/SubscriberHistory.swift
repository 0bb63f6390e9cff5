import Subscriptions

/// Transactions and renewal infos that the store shows for a subscriber at an instant.
public struct SubscriberHistory: Sendable {
  /// Auto-renewable transactions, by line and in order of purchase.
  public var transactions: [Transaction]
  public var oneTime: [Transaction]
  public var renewalInfos: [RenewalInfo]
  /// Instant of the last change; `nil` if nothing has happened yet.
  public var changedAt: Instant?
}

extension Subscriber {
  /// Returns the history at an instant. Later ones keep its transactions, but may refund them or mark them as
  /// upgraded.
  public func history(until t: Instant) -> SubscriberHistory {
    let life = Life(of: self, until: t)
    return SubscriberHistory(
      transactions: life.lines.flatMap { $0.transactions(at: t) },
      oneTime: life.oneTime.compactMap { $0.transaction(at: t) },
      renewalInfos: life.lines.compactMap { $0.renewalInfo(at: t) }, changedAt: life.lastChange(upTo: t))
  }
}
