/// How many receipts were left for a later try for the same reason.
public struct FailureTally: Hashable, Sendable, Encodable {
  /// For a person; it names no secret and holds nothing of a receipt.
  public var reason: String
  public var count: Int

  public init(reason: String, count: Int) {
    self.reason = reason
    self.count = count
  }
}
