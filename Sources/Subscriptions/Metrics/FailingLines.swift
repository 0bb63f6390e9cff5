/// Lines in billing retry and grace: distinct users and the list, which sums by class cannot answer.
public struct FailingLines: Hashable, Sendable {
  /// Distinct users of the lines in billing retry.
  public var users: Int
  public var usersInGrace: Int
  /// Lines in billing retry, newest expiry first, up to the question's limit.
  public var rows: [UnpaidEntry]

  public init(users: Int, usersInGrace: Int, rows: [UnpaidEntry]) {
    (self.users, self.usersInGrace, self.rows) = (users, usersInGrace, rows)
  }
}
