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
  init(_ judged: [JudgedLine], _ question: Question) {
    let events = judged.lazy.flatMap(\.line.events).filter {
      question.window.contains($0.effectiveAtMs) && question.includes($0.productId)
    }
    let sorted = events.sorted(by: LineEvent.newestFirst)
    self.init(count: sorted.count, rows: Array(sorted.prefix(question.limit)))
  }
}
