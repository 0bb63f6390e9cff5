/// Everything that the figures are computed from: lines, one-time purchases, and how many receipts hold them.
///
/// The pure evaluator works on this; the store answers the same questions from its derived rows, and a test holds the two equal.
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

  /// Answers a question from the rows alone.
  public func report(_ question: Question) -> Report {
    let judged = self.judged(question)
    let course = ledger(question).course(of: question.window)
    return Report(
      answering: question, trust: trust(question, judged: judged),
      data: figures(question, course.window, judged: judged), trend: trend(question, course))
  }

  /// The lines and transactions behind a panel's figures.
  ///
  /// - Parameter figure: only those behind this one, by its path in the panel's JSON.
  public func rows(_ question: Question, figure: String? = nil) -> FigureRows {
    let all = allRows(question)
    return FigureRows(all.filter { figure.map($0.figures.contains) ?? true }, limit: question.limit)
  }

  func allRows(_ question: Question) -> [FigureRow] {
    guard question.panel != .movement else {
      return scopedLines(question).flatMap { Movement.groups.rows(of: $0, question) }
    }
    let counting = PanelCounting(question.panel)
    return scopedLines(question).flatMap { counting.rows(of: $0, question) }
      + factRows(judged(question), question)
  }

  /// The rows of what is no balance of positions and no flow between them.
  func factRows(_ judged: [JudgedLine], _ question: Question) -> [FigureRow] {
    switch question.panel {
    case .overview: OverviewFigures.rows(judged, question, catalog: catalog)
    case .churn: judged.churnRows(question, catalog: catalog)
    case .refunds:
      judged.refundRows(question) + refunds(question).map { FigureRow(oneTimeRefund: $0, question) }
    case .upgrades: judged.upgradeRows(question)
    case .active, .billingRetry, .events, .movement: []
    }
  }

  private func figures(_ question: Question, _ sums: LedgerSums, judged: [JudgedLine]) -> Figures {
    switch question.panel {
    case .overview: .overview(overview(sums, question, judged: judged))
    case .active: .active(ActiveFigures(sums, question))
    case .billingRetry: .billingRetry(billingRetry(sums, question, judged: judged))
    case .churn: .churn(churn(sums, question, judged: judged))
    case .refunds: .refunds(RefundFigures(judged, question, oneTime: refunds(question).count))
    case .upgrades: .upgrades(upgrades(sums, question, judged: judged))
    case .events: .events(events(question))
    case .movement: .declared(LedgerFigures(Movement.groups, from: sums, question))
    }
  }

  private func billingRetry(
    _ sums: LedgerSums, _ question: Question, judged: [JudgedLine]
  ) -> BillingRetryFigures {
    var figures = BillingRetryFigures(sums, question)
    figures.add(usersAndRowsOf: judged, question)
    return figures
  }

  private func churn(_ sums: LedgerSums, _ question: Question, judged: [JudgedLine]) -> ChurnFigures {
    var figures = ChurnFigures(sums, question)
    figures.add(periodsAndPurchasesOf: judged, question, catalog: catalog)
    return figures
  }

  private func upgrades(_ sums: LedgerSums, _ question: Question, judged: [JudgedLine]) -> UpgradeFigures {
    var figures = UpgradeFigures(judged, question)
    figures.set(pendingOf: sums, question)
    return figures
  }

  /// One-time purchases refunded in the window.
  private func refunds(_ question: Question) -> [OneTimePurchase] {
    oneTime.filter {
      question.environment.contains($0.environment) && question.includes($0.transaction.productID)
        && $0.transaction.inAppOwnershipType != .familyShared
        && ($0.transaction.cancellationDate.map(question.window.contains) ?? false)
    }
  }

  func ledger(_ question: Question) -> MemoryLedger { MemoryLedger(scopedLines(question).flatMap(\.changes)) }

  private func scopedLines(_ question: Question) -> [Line] {
    lines.filter { question.environment.contains($0.id.environment) && !$0.isFamilyShared }
  }

  func events(_ question: Question) -> EventFigures {
    let all =
      lines.lazy.filter { question.environment.contains($0.id.environment) }.flatMap(\.events)
      + chainEvents.filter { question.environment.contains($0.environment) }
    return EventFigures(Array(all), question)
  }

  private func overview(
    _ sums: LedgerSums, _ question: Question, judged: [JudgedLine]
  ) -> OverviewFigures {
    OverviewFigures(
      active: ActiveFigures(sums, question), billingRetry: BillingRetryFigures(sums, question),
      churn: churn(sums, question, judged: judged),
      refunds: RefundFigures(judged, question, oneTime: refunds(question).count),
      upgrades: UpgradeFigures(judged, question), sales: SalesFigures(judged, question),
      due: DueFigures.all(judged, question, catalog: catalog), events: events(question))
  }
}

extension Population {
  /// METRICS §1.5: the scope's environment, purchased, and begun by the question's instant.
  func judged(_ question: Question) -> [JudgedLine] {
    lines.compactMap { line in
      guard question.environment.contains(line.id.environment), !line.isFamilyShared,
        let verdict = line.verdict(at: question.at)
      else { return nil }
      return JudgedLine(line: line, verdict: verdict)
    }
  }

  func trust(_ question: Question, judged: [JudgedLine]) -> Trust {
    var trust = Trust()
    trust.receipts = receipts
    trust.lines = judged.count
    let withAccess = judged.filter(\.state.hasAccess)
    let fresh = withAccess.count { ($0.line.validatedAt ?? .distantPast) > question.at - Milliseconds.day }
    trust.fresh24h = withAccess.isEmpty ? nil : Double(fresh) / Double(withAccess.count)
    trust.overdue = judged.count { $0.state == .overdue }
    trust.unpricedTransactions = judged.reduce(0) { sum, judged in
      sum + judged.line.rows.count { $0.price == nil && $0.purchase <= question.at }
    }
    let begun = lines.filter { line in line.rows.first.map { $0.purchase <= question.at } ?? false }
    trust.excludedSandbox =
      question.environment == .production ? begun.count { $0.id.environment == .sandbox } : 0
    trust.excludedFamilyShared = begun.count {
      question.environment.contains($0.id.environment) && $0.isFamilyShared
    }
    return trust
  }
}
