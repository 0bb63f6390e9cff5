/// What the Server API said of one customer: some or all of the transactions, and the next renewals.
public struct CustomerHistory: Hashable, Sendable {
  public var answer: Answer
  /// Each row as Apple signed it, with what it says alone.
  public var rows: [ImportedAnswer]
  /// What the next question goes on with.
  public var revision: String?

  public init(answer: Answer, rows: [ImportedAnswer], revision: String?) {
    (self.answer, self.rows, self.revision) = (answer, rows, revision)
  }
}
