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

  /// A consumable, non-consumable or non-renewing purchase: outside every subscription figure.
  public struct OneTimePurchase: Hashable, Sendable {
    public var environment: StoreEnvironment
    public var users: Set<AppUserID>
    public var transaction: Transaction

    init(chain: Chain, transaction: Transaction) {
      environment = chain.environment
      users = chain.users
      self.transaction = transaction
    }
  }

  public func report(_ question: Question) -> Report {
    MemoryLedger(self, PanelCounting(question.panel).familiesRead).report(question)
  }

  /// The lines and transactions behind a panel's figures.
  ///
  /// - Parameter figure: only those behind this one, by its path in the panel's JSON.
  public func rows(_ question: Question, figure: String? = nil) -> FigureRows {
    let all = allRows(question)
    return FigureRows(all.filter { figure.map($0.figures.contains) ?? true }, limit: question.limit)
  }

  private func allRows(_ question: Question) -> [FigureRow] {
    let lines = lines(in: question)
    if let groups = question.panel.declaredFigures { return lines.flatMap { groups.rows(of: $0, question) } }
    let (counting, facts) = (PanelCounting(question.panel), FactRows(question, catalog))
    let families = Set(facts.families)
    return lines.flatMap { line in
      counting.rows(of: line, question) + facts.rows(of: line, families)
        + [facts.hasDueLines ? facts.dueRow(of: line) : nil].compactMap(\.self)
    } + oneTime.compactMap(facts.row)
  }

  /// METRICS §1.5.
  func lines(in question: Question) -> [Line] {
    lines.filter { question.environment.contains($0.id.environment) && !$0.isFamilyShared }
  }

  /// Each once.
  var events: Set<LineEvent> { Set(lines.lazy.flatMap(\.events)).union(chainEvents) }

  /// Everything of some families.
  func facts(_ families: Set<FactFamily>) -> [Fact] {
    var facts = lines.flatMap { $0.facts(catalog) }
    facts += oneTime.flatMap { CountedRow(oneTime: $0).datedFacts }
    if families.contains(.event) { facts += events.map(\.fact) }
    return facts.filter { families.contains($0.kind.family) }
  }
}

extension Line {
  /// All that figures count of the line by dates, apart from its events.
  fileprivate func facts(_ catalog: Catalog) -> [Fact] {
    rows.flatMap { CountedRow($0, of: self, catalog).datedFacts }
      + StandingLine(self).facts(validatedAt: validatedAt, catalog: catalog)
  }
}

extension LineEvent {
  /// What the event is counted as.
  public var fact: Fact { Fact(effectiveAt, FactClass(.event, environment, product: productID)) }
}
