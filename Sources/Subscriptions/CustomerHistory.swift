/// Answer of the Server API about one customer.
public struct CustomerHistory: Hashable, Sendable {
  public var answer: Answer
  public var rows: [ImportedAnswer]
  /// Revision from which the next request continues.
  public var revision: String?

  public init(answer: Answer, rows: [ImportedAnswer], revision: String?) {
    (self.answer, self.rows, self.revision) = (answer, rows, revision)
  }
}
