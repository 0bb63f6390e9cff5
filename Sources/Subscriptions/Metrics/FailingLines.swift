/// What of billing retry and grace is no sum.
public struct FailingLines: Hashable, Sendable {
  /// Distinct, of the lines in billing retry.
  public var users: Int
  public var usersInGrace: Int
  /// Lines in billing retry, the newest expiry first, no more than the question's limit.
  public var rows: [UnpaidEntry]

  public init(users: Int, usersInGrace: Int, rows: [UnpaidEntry]) {
    (self.users, self.usersInGrace, self.rows) = (users, usersInGrace, rows)
  }
}
