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
  private var changes: [DatedChange] = []
  private var facts: [FactFamily: [Fact]] = [:]
  /// The lines of which lists and corrections are made.
  private var kept: Population
  private var events: NewestEvents

  public init(_ question: Question, catalog: Catalog) {
    self.question = question
    families = PanelCounting(question.panel).familiesRead
    start = question.before.window.from
    kept = Population([], receipts: 0, catalog: catalog)
    events = NewestEvents(question)
  }

  public mutating func add(_ chain: Chain) {
    for line in chain.lines(catalog: kept.catalog, since: start) {
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
    guard events.areAsked, let last = chain.lastInstant(after: start, through: question.at) else { return }
    if families.contains(.event) || events.mayHold(last) {
      let all = chain.events(catalog: kept.catalog)
      if families.contains(.event) { for event in all { add(event.fact) } }
      events.add(all)
    }
  }

  private mutating func add(_ line: Line) {
    for entry in line.entries(through: question.at) {
      if entry.span.from <= start {
        balances[entry.position.kind, default: Balance()] += Balance(
          lines: 1, monthlyMicros: entry.position.monthlyMicros, converted: entry.position.converted)
      } else if let (kind, sum) = entry.entry {
        changes.append(DatedChange(at: entry.span.from, kind: kind, sum: sum))
      }
    }
    for place in line.rows.indices where line.rows[place].price == nil || isCounted(line.rows, place) {
      for fact in CountedRow(line.rows[place], of: line, kept.catalog).datedFacts(kept.catalog.exchange) {
        add(fact)
      }
    }
    addStanding(line)
    if isListed(line) { kept.lines.append(line) }
  }

  /// What the line is counted for while it stands where it stands at the question's instant: of such facts nobody asks at another.
  private mutating func addStanding(_ line: Line) {
    let standing = StandingLine(line, at: question.at)
    for fact in standing.facts(validatedAt: line.validatedAt, catalog: kept.catalog) { add(fact) }
  }

  private mutating func add(_ fact: Fact) {
    let family = fact.kind.family
    guard fact.at <= question.at, families.contains(family), fact.at > start || !isOfWindow(family) else {
      return
    }
    facts[family, default: []].append(fact)
  }

  /// Whether nobody asks for everything up to an instant.
  private func isOfWindow(_ family: FactFamily) -> Bool {
    PanelCounting(question.panel).families.contains(family)
  }

  /// Whether any date of the row lies where facts are asked for.
  private func isCounted(_ rows: [Row], _ place: Int) -> Bool {
    func isAsked(_ t: Instant?) -> Bool { t.map { $0 > start && $0 <= question.at } ?? false }
    return isAsked(rows[place].purchase) || isAsked(rows[place].expires) || isAsked(rows[place].deadFrom)
      || isAsked(rows[place].transaction.cancellationDate)
  }

  /// Whether a list or a correction may be made of the line.
  private func isListed(_ line: Line) -> Bool {
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
    changes += other.changes
    facts.merge(other.facts) { $0 + $1 }
    kept.lines += other.kept.lines
    events.add(other.events)
  }

  /// Answers the question, when everything was added.
  public mutating func report(receipts: Int) -> Report {
    kept.receipts = receipts
    changes.sort { $0.at < $1.at }
    for family in facts.keys { facts[family]?.sort { $0.at < $1.at } }
    return report(question)
  }

  public func changes(after start: Instant?, through end: Instant) -> [ChangeClass: Turnover] {
    var sums = changes.sums(after: start, through: end)
    guard start == nil else { return sums }
    for (position, balance) in balances {
      sums[ChangeClass(old: nil, new: position, flow: nil), default: Turnover()] += Turnover(
        lines: balance.lines, monthlyAfter: balance.monthlyMicros, convertedAfter: balance.converted)
    }
    return sums
  }

  public func facts(
    _ family: FactFamily, after start: Instant?, through end: Instant
  ) -> [FactClass: FactSum] {
    facts[family]?.sums(after: start, through: end) ?? [:]
  }

  public func corrections(_ family: FactFamily, _ window: Window) -> [Correction] {
    kept.corrections(family, window)
  }

  public func receipts() -> Int { kept.receipts }

  public func users(_ state: LineState, _ question: Question) -> Int { kept.users(state, question) }

  public func failing(_ question: Question) -> [BillingRetryFigures.Entry] { kept.failing(question) }

  public func upgrades(_ question: Question) -> [UpgradeFigures.Entry] { kept.upgrades(question) }

  public func events(_ question: Question) -> [LineEvent] { events.newest(question.limit) }
}
