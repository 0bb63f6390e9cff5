/// The newest events of the window.
public struct EventFigures: Hashable, Sendable, Encodable {
  /// All of the window, also those that the limit leaves out of `rows`.
  public var count: Int
  public var rows: [LineEvent]

  public init(count: Int, rows: [LineEvent]) {
    self.count = count
    self.rows = rows
  }
}

extension EventFigures {
  /// Family-shared lines too: a revocation is theirs alone. Each event says whether it is of one.
  init(_ events: [LineEvent], _ question: Question) {
    let sorted = Set(events).filter {
      question.window.contains($0.effectiveAt) && question.includes($0.productID)
    }
    .sorted(by: LineEvent.newestFirst)
    self.init(count: sorted.count, rows: Array(sorted.prefix(question.limit)))
  }
}
