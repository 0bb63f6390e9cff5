/// The ledger of one question: it keeps of each chain what that question can ask for, and forgets the rest. It answers for what was
/// known at a past instant, where every chain has to be looked at: what a population is made of took most of the time and memory.
///
/// Nothing is asked of what lies before the window before the question's but where lines stood then, and nothing of what comes after
/// its instant.
public struct QuestionLedger: Ledger, Sendable {
  private let question: Question
  private let families: Set<FactFamily>
  /// The start of the window before.
  private let start: Instant
  /// Where lines stood at the start.
  private var balances: [PositionClass: Balance] = [:]
  private var changes = DatedSums<ChangeClass, ChangeSum>()
  private var facts: [FactFamily: DatedSums<FactClass, FactSum>] = [:]
  /// The lines of which lists and corrections are made.
  private var kept: Population
  private var newest: NewestEvents
  private var counts = CohortCounts()
  private var hasOneTime = false
  /// Those of the panel, by their families.
  private var episodes: [FactFamily: [Episode]] = [:]

  public init(_ question: Question, catalog: Catalog) {
    self.question = question
    families = PanelCounting(question.panel).familiesRead
    start =
      question.panel == .recovery
      ? RecoveryCells(question).start : question.before.window.from
    kept = Population([], receipts: 0, catalog: catalog)
    newest = NewestEvents(question)
  }

  public mutating func add(_ chain: Chain) {
    hasOneTime =
      hasOneTime
      || question.environment.contains(chain.environment)
        && chain.transactions.contains { $0.expiresDate == nil && $0.purchaseDate <= question.at }
    // Cohorts are of lines' whole past, and what is asked of a customer goes on from before.
    let isOfAllTime =
      question.panel == .cohorts || PanelCounting(question.panel).episodeFamilies.contains(.consent)
    let since = isOfAllTime ? .distantPast : start
    for line in chain.lines(catalog: kept.catalog, since: since) {
      if line.isFamilyShared {
        addStanding(line)
      } else {
        add(line)
      }
    }
    if families.contains(.oneTimeRefund) {
      for purchase in chain.oneTime {
        let row = CountedRow(oneTime: OneTimePurchase(chain: chain, transaction: purchase))
        for fact in row.datedFacts(kept.catalog.exchange) { add(fact) }
      }
    }
    guard question.asksForEvents, let last = chain.lastInstant(after: start, through: question.at),
      families.contains(.event) || (last > question.window.from && newest.mayHold(last))
    else { return }
    for event in chain.events(catalog: kept.catalog) {
      if families.contains(.event) { add(event.fact) }
      if question.includes(event) { newest.add(event) }
    }
  }

  private mutating func add(_ line: Line) {
    if question.panel == .cohorts { counts.add(line, question) }
    let entries = line.entries(through: question.at)
    for entry in entries[(entries.lastPlace { $0.span.from <= start } ?? 0)...] {
      if entry.span.from <= start {
        balances[entry.position.kind, default: Balance()] += Balance(
          lines: 1, monthlyMicros: Int128(entry.position.monthlyMicros), converted: entry.position.converted)
      } else if let (kind, sum) = entry.entry {
        changes.add(sum, of: kind, at: entry.span.from)
      }
    }
    for place in line.rows.indices where line.rows[place].price == nil || isCounted(line.rows, place) {
      for fact in CountedRow(line.rows[place], of: line, kept.catalog).datedFacts(kept.catalog.exchange) {
        add(fact)
      }
    }
    addStanding(line)
    addEpisodes(of: line)
    if isListed(line) { kept.lines.append(line) }
  }

  /// What the line is counted for while it stands where it stands at the question's instant: of such facts nobody asks at another.
  private mutating func addStanding(_ line: Line) {
    let standing = StandingLine(line, at: question.at)
    for fact in standing.facts(validatedAt: line.validatedAt, catalog: kept.catalog) { add(fact) }
  }

  private mutating func addEpisodes(of line: Line) {
    for family in PanelCounting(question.panel).episodeFamilies {
      let asked = line.episodes(family, kept.catalog).filter { episode in
        episode.from <= question.at && (episode.from > start || episode.outcome(at: question.at) == .lasts)
      }
      if !asked.isEmpty { episodes[family, default: []] += asked }
      for fact in asked.lazy.flatMap(\.facts) { add(fact) }
    }
  }

  private mutating func add(_ fact: Fact) {
    let family = fact.kind.family
    guard fact.at <= question.at, families.contains(family), fact.at > start || !isOfWindow(family) else {
      return
    }
    facts[family, default: DatedSums()].add(fact.sum, of: fact.kind, at: fact.at)
  }

  /// Whether nobody asks for everything up to an instant.
  private func isOfWindow(_ family: FactFamily) -> Bool {
    [.retry, .offer, .offerRevenue].contains(family)
      || PanelCounting(question.panel).families.contains(family)
  }

  /// Whether any date of the row lies where facts are asked for.
  private func isCounted(_ rows: [Row], _ place: Int) -> Bool {
    func isAsked(_ t: Instant?) -> Bool { t.map { $0 > start && $0 <= question.at } ?? false }
    return isAsked(rows[place].purchase) || isAsked(rows[place].expires) || isAsked(rows[place].deadFrom)
      || isAsked(rows[place].transaction.cancellationDate)
  }

  /// Whether a list or a correction may be made of the line.
  private func isListed(_ line: Line) -> Bool {
    if question.panel == .offers {
      return line.pendingConsents.contains { $0.outcome(at: question.at) == .lasts }
    }
    for t in [question.at, question.window.from] {
      if line.timeline.position(at: t)?.state.mayYetPay ?? false { return true }
    }
    return line.rows.indices.contains { place in
      line.rows[place].refundedAt.map { $0 > question.window.from } ?? false
        || (question.panel == .upgrades
          && line.rows[place].upgrade?.instant.map(question.window.contains) ?? false)
    }
  }
}

extension QuestionLedger {
  /// Adds what was made of other chains.
  public mutating func add(_ other: QuestionLedger) {
    balances.merge(other.balances) { $0 + $1 }
    changes.add(other.changes)
    for (family, sums) in other.facts { facts[family, default: DatedSums()].add(sums) }
    kept.lines += other.kept.lines
    episodes.merge(other.episodes) { $0 + $1 }
    newest.add(other.newest)
    counts.add(other.counts)
    hasOneTime = hasOneTime || other.hasOneTime
  }

  /// Answers the question, when everything was added.
  public mutating func report(receipts: Int) -> Report {
    kept.receipts = receipts
    // Of what was before, nobody asks but for where it led.
    for (position, balance) in balances {
      let sum = ChangeSum(
        lines: balance.lines, monthlyAfter: balance.monthlyMicros, convertedAfter: balance.converted)
      changes.add(sum, of: ChangeClass(old: nil, new: position, flow: nil), at: start)
    }
    balances = [:]
    changes.sort()
    for family in facts.keys { facts[family]?.sort() }
    return report(question)
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
    kept.corrections(family, window)
  }

  public func cohorts(_ question: Question) -> CohortCounts { counts }

  public func episodes(_ selection: EpisodeSelection) -> [EpisodeSum] {
    (episodes[selection.family] ?? []).sums(selection)
  }

  public func corrections(_ selection: EpisodeSelection) -> [EpisodeSum] {
    (episodes[selection.family] ?? []).corrections(selection)
  }

  public func pendingConsents(_ question: Question) -> [PendingConsent] {
    kept.pendingConsents(question)
  }

  public func receipts() -> Int { kept.receipts }

  public func hasOneTimePurchases(_ question: Question) -> Bool { hasOneTime }

  public func failing(_ question: Question) -> FailingLines { kept.failing(question) }

  public func upgrades(_ question: Question) -> [UpgradeEntry] { kept.upgrades(question) }

  public func events(_ question: Question) -> [LineEvent] { newest.listed }
}
