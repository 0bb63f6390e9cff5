import Subscriptions

/// Everything that follows from what is known of a chain, apart from row numbers.
struct DerivedChain: Sendable {
  struct DerivedLine: Sendable {
    var line: Line
    var entries: [SpanEntry]
    var episodes: [Episode]

    /// As what the line was first paid; nil where it never was, and of a family-shared line.
    var origin: CohortOrigin? { line.cohortOrigin(entries) }
  }

  var chain: Chain
  var lines: [DerivedLine]
  /// Each event once, without the price and the storefront, which stand with the transaction.
  var feed: [LineEvent]
  var facts: ChainFacts
  /// For which its lines are counted while they stand somewhere.
  var standing: [Fact]

  init(_ chain: Chain, catalog: Catalog) {
    self.chain = chain
    let lines = chain.lines(catalog: catalog)
    facts = ChainFacts(chain, lines, catalog: catalog)
    self.lines = lines.map { line in
      DerivedLine(line: line, entries: line.entries, episodes: line.episodes(catalog))
    }
    let events = lines.flatMap(\.events) + chain.ownEvents
    standing = lines.flatMap {
      StandingLine($0).facts(validatedAt: chain.validatedAt, catalog: catalog)
    }
    var told: Set<LineEvent> = []
    feed = events.map(\.withoutTerms).filter { told.insert($0).inserted }
  }
}

extension LineEvent {
  fileprivate var withoutTerms: LineEvent {
    var event = self
    (event.price, event.storefront) = (nil, nil)
    return event
  }
}
