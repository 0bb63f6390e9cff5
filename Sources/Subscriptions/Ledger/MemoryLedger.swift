/// The ledger of lines in memory: what every other one is held against.
public struct MemoryLedger: Ledger {
  private let population: Population
  /// In order of time.
  private let changes: [DatedChange]
  private let facts: [FactFamily: [Fact]]

  /// - Parameter families: of facts that it is to know; nil is all of them.
  public init(_ population: Population, _ families: Set<FactFamily>? = nil) {
    self.population = population
    changes = population.lines.filter { !$0.isFamilyShared }.flatMap(\.entries).compactMap { span in
      span.entry.map { DatedChange(at: span.span.from, kind: $0.kind, sum: $0.sum) }
    }.sorted { $0.at < $1.at }
    let facts = population.facts(families ?? Set(FactFamily.allCases))
    self.facts = Dictionary(grouping: facts, by: \.kind.family).mapValues { $0.sorted { $0.at < $1.at } }
  }

  public func changes(after start: Instant?, through end: Instant) -> [ChangeClass: Turnover] {
    changes.sums(after: start, through: end)
  }

  public func facts(
    _ family: FactFamily, after start: Instant?, through end: Instant
  ) -> [FactClass: FactSum] {
    facts[family]?.sums(after: start, through: end) ?? [:]
  }

  public func corrections(_ family: FactFamily, _ window: Window) -> [Correction] {
    population.corrections(family, window)
  }

  public func receipts() -> Int { population.receipts }

  public func users(_ state: LineState, _ question: Question) -> Int {
    population.users(state, question)
  }

  public func failing(_ question: Question) -> [BillingRetryFigures.Entry] { population.failing(question) }

  public func upgrades(_ question: Question) -> [UpgradeFigures.Entry] { population.upgrades(question) }

  public func events(_ question: Question) -> [LineEvent] {
    let events = population.events {
      question.includes($0.fact.kind) && question.window.contains($0.effectiveAt)
    }
    return Array(events.sorted(by: LineEvent.newestFirst).prefix(question.limit))
  }
}

extension Population {
  /// Everything of some families.
  fileprivate func facts(_ families: Set<FactFamily>) -> [Fact] {
    var facts = lines.flatMap { $0.facts(catalog) }
    facts += oneTime.flatMap { CountedRow(oneTime: $0).datedFacts(catalog.exchange) }
    if families.contains(.event) { facts += events { _ in true }.map(\.fact) }
    return facts.filter { families.contains($0.kind.family) }
  }
}

extension Line {
  /// All that figures count of the line by dates, apart from its events.
  fileprivate func facts(_ catalog: Catalog) -> [Fact] {
    rows.flatMap { CountedRow($0, of: self, catalog).datedFacts(catalog.exchange) }
      + StandingLine(self).facts(validatedAt: validatedAt, catalog: catalog)
  }
}
