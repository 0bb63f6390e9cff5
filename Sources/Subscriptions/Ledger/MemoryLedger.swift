/// The ledger of lines in memory: what every other one is held against.
public struct MemoryLedger: Ledger {
  private let population: Population
  private let changes: DatedSums<ChangeClass, ChangeSum>
  private let facts: [FactFamily: DatedSums<FactClass, FactSum>]

  /// - Parameter families: of facts that it is to know; nil is all of them.
  public init(_ population: Population, _ families: Set<FactFamily>? = nil) {
    self.population = population
    var changes = DatedSums<ChangeClass, ChangeSum>()
    for line in population.lines where !line.isFamilyShared {
      for entry in line.entries {
        if let (kind, sum) = entry.entry { changes.add(sum, of: kind, at: entry.span.from) }
      }
    }
    changes.sort()
    var facts: [FactFamily: DatedSums<FactClass, FactSum>] = [:]
    for fact in population.facts(families ?? Set(FactFamily.allCases)) {
      facts[fact.kind.family, default: DatedSums()].add(fact.sum, of: fact.kind, at: fact.at)
    }
    for family in facts.keys { facts[family]?.sort() }
    (self.changes, self.facts) = (changes, facts)
  }

  public func changeSums(
    after start: Instant?, through end: Instant
  ) -> ClassSums<ChangeClass, ChangeSum> {
    changes.sums(after: start, through: end)
  }

  public func factSums(
    _ family: FactFamily, after start: Instant?, through end: Instant
  ) -> ClassSums<FactClass, FactSum> {
    facts[family]?.sums(after: start, through: end) ?? ClassSums(classes: [])
  }

  public func corrections(_ family: FactFamily, _ window: Window) -> [Correction] {
    population.corrections(family, window)
  }

  public func cohorts(_ question: Question) -> CohortCounts {
    population.lines.reduce(into: CohortCounts()) { $0.add($1, question) }
  }

  public func episodes(_ selection: EpisodeSelection) -> [EpisodeSum] {
    population.lines.lazy.flatMap { $0.episodes(selection.family, population.catalog) }.sums(selection)
  }

  public func corrections(_ selection: EpisodeSelection) -> [EpisodeSum] {
    population.lines.lazy.flatMap { $0.episodes(selection.family, population.catalog) }.corrections(selection)
  }

  public func pendingConsents(_ question: Question) -> [PendingConsent] {
    population.pendingConsents(question)
  }

  public func receipts() -> Int { population.receipts }

  public func hasOneTimePurchases(_ question: Question) -> Bool {
    population.oneTime.contains {
      question.environment.contains($0.environment) && $0.transaction.purchaseDate <= question.at
    }
  }

  public func failing(_ question: Question) -> FailingLines { population.failing(question) }

  public func upgrades(_ question: Question) -> [UpgradeEntry] { population.upgrades(question) }

  public func events(_ question: Question) -> [LineEvent] {
    var newest = NewestEvents(question)
    for event in population.events(where: question.includes) { newest.add(event) }
    return newest.listed
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
      + (retries + offerUses(catalog)).flatMap(\.facts)
  }
}
