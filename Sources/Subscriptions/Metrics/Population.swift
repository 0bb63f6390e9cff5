/// Everything that the figures are computed from: lines, one-time purchases, and how many receipts hold them.
///
/// `MemoryLedger` answers from it; the store answers the same questions from its derived rows, and a test holds the two equal.
public struct Population: Sendable {
  public var lines: [Line]
  public var oneTime: [OneTimePurchase]
  /// What happened to chains apart from their lines.
  public var chainEvents: [LineEvent]
  public var receipts: Int
  public var catalog: Catalog

  public init(_ chains: [Chain], receipts: Int, catalog: Catalog) {
    lines = chains.flatMap { $0.lines(catalog: catalog) }
    oneTime = chains.flatMap { chain in
      chain.oneTime.map { OneTimePurchase(chain: chain, transaction: $0) }
    }
    chainEvents = chains.flatMap(\.ownEvents)
    self.receipts = receipts
    self.catalog = catalog
  }

  /// METRICS §1.5.
  func lines(in question: Question) -> [Line] {
    lines.filter { question.environment.contains($0.id.environment) && !$0.isFamilyShared }
  }

  /// Each once.
  func events(where isIncluded: (LineEvent) -> Bool) -> Set<LineEvent> {
    var events = Set(chainEvents.filter(isIncluded))
    for line in lines { events.formUnion(line.events.filter(isIncluded)) }
    return events
  }
}
