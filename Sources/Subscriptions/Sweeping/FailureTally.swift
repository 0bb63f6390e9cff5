/// Number of receipts that are retried later for the same reason.
public struct FailureTally: Hashable, Sendable, Encodable {
  /// Message for people, without secrets and receipt contents.
  public var reason: String
  public var count: Int

  public init(reason: String, count: Int) { (self.reason, self.count) = (reason, count) }
}
