import Subscriptions

/// Everything derived from a chain's evidence, without row numbers.
struct DerivedChain: Sendable {
  struct DerivedLine: Sendable {
    var line: Line
    var entries: [SpanEntry]
    var episodes: [Episode]

    /// Class of the line's first payment; `nil` if it was never paid or is family-shared.
    var origin: CohortOrigin? { line.cohortOrigin(entries) }
  }

  var chain: Chain
  var lines: [DerivedLine]
  /// Distinct events, without price and storefront, which the transaction's row has.
  var feed: [LineEvent]
  var facts: ChainFacts
  /// Facts about freshness, family sharing and due periods, which follow from the lines' positions.
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
