import Subscriptions

/// What the store shows of one subscriber at an instant.
public struct SubscriberHistory: Sendable {
  /// Auto-renewable rows, line by line in the order of purchase.
  public var transactions: [Transaction]
  public var oneTime: [Transaction]
  public var renewalInfos: [RenewalInfo]
  /// When anything last changed; nil before there was anything.
  public var changedAt: Instant?
}

extension Subscriber {
  /// Grows as the clock goes: what was shown stays, and may be refunded or marked as upgraded.
  public func history(until t: Instant) -> SubscriberHistory {
    let life = Life(of: self, until: t)
    return SubscriberHistory(
      transactions: life.lines.flatMap { $0.transactions(at: t) },
      oneTime: life.oneTime.compactMap { $0.transaction(at: t) },
      renewalInfos: life.lines.compactMap { $0.renewalInfo(at: t) }, changedAt: life.lastChange(upTo: t))
  }
}
