import Subscriptions

/// Everything that follows from what is known of a chain, apart from row numbers.
struct DerivedChain: Sendable {
  struct DerivedLine: Sendable {
    var line: Line
    var entries: [SpanEntry]
    var marks: [TallyMark]
  }

  var chain: Chain
  var lines: [DerivedLine]
  /// Each event once, without the price, which stands with the transaction.
  var feed: [LineEvent]
  var facts: ChainFacts
  /// What the chain adds to the tallies.
  var marks: [TallyMark]

  init(_ chain: Chain, catalog: Catalog) {
    self.chain = chain
    let lines = chain.lines(catalog: catalog)
    facts = ChainFacts(chain, lines, catalog: catalog)
    self.lines = lines.map { line in
      DerivedLine(line: line, entries: line.entries, marks: line.marks(catalog: catalog))
    }
    let events = lines.flatMap(\.events) + chain.ownEvents
    marks = self.lines.flatMap(\.marks) + chain.ownMarks(feed: events)
    var told: Set<LineEvent> = []
    feed = events.map(\.withoutPrice).filter { told.insert($0).inserted }
  }
}

extension LineEvent {
  fileprivate var withoutPrice: LineEvent {
    var event = self
    event.price = nil
    return event
  }
}
