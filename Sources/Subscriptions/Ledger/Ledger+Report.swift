extension Ledger {
  /// Answers a panel's question.
  public func report(_ question: Question) throws(Failure) -> Report {
    let course = try course(of: question.window)
    let facts = try FactCounts(question, from: self)
    return Report(
      answering: question, trust: try trust(course.window.end, question),
      data: try figures(course.window, facts, question), trend: trend(course, facts, question))
  }

  /// What any of the answers stands on.
  public func trust(_ question: Question) throws(Failure) -> Trust {
    try trust(sums(of: question.window).end, question)
  }

  private func figures(
    _ sums: LedgerSums, _ facts: FactCounts, _ question: Question
  ) throws(Failure) -> Figures {
    switch question.panel {
    case .overview: return .overview(try overview(sums, facts, question))
    case .active: return .active(ActiveFigures(sums, question))
    case .billingRetry:
      var figures = BillingRetryFigures(sums, question)
      figures.users = try users(.billingRetry, question)
      figures.grace.users = try users(.grace, question)
      figures.rows = try failing(question)
      return .billingRetry(figures)
    case .churn: return .churn(ChurnFigures(sums, facts, question))
    case .refunds: return .refunds(RefundFigures(facts))
    case .upgrades:
      return .upgrades(UpgradeFigures(sums, facts, question, rows: try upgrades(question)))
    case .events:
      return .events(EventFigures(count: facts[Panel.eventCount], rows: try events(question)))
    case .movement: return .declared(LedgerFigures(Movement.groups, from: sums, question))
    }
  }

  private func overview(
    _ sums: LedgerSums, _ facts: FactCounts, _ question: Question
  ) throws(Failure) -> OverviewFigures {
    var newest = question
    newest.limit = min(question.limit, OverviewFigures.eventLimit)
    var refunds = RefundFigures()
    (refunds.count, refunds.amount) = (facts["refunds"], facts.amounts("refund_amount"))
    refunds.cohort = RefundFigures.Cohort(facts)
    return OverviewFigures(
      active: ActiveFigures(sums, question), billingRetry: BillingRetryFigures(sums, question),
      churn: ChurnFigures(sums, facts, question), refunds: refunds,
      proratedRefund: facts.amounts("prorated_refund"), sales: SalesFigures(facts), due: try due(question),
      newestEvents: try events(newest))
  }

  /// What comes due within each horizon.
  public func due(_ question: Question) throws(Failure) -> [DueFigures] {
    var all: [DueFigures] = []
    for horizon in DueHorizon.allCases {
      var figures = DueFigures(horizon, in: question.reportingCurrency)
      for (kind, sum) in try facts(FactFamily(horizon), after: nil, through: question.at)
      where question.includes(kind) {
        figures.count(kind, sum)
      }
      all.append(figures)
    }
    return all
  }

  private func trend(_ course: LedgerCourse, _ facts: FactCounts, _ question: Question) -> Trend {
    if let groups = question.panel.declaredFigures { return course.trend(groups, question) }
    var trend = Trend(of: question.window)
    facts.add(to: &trend)
    trend.add(course, question)
    return trend
  }

  /// - Parameter balances: where lines stand at the question's instant.
  private func trust(
    _ balances: [PositionClass: Balance], _ question: Question
  ) throws(Failure) -> Trust {
    var trust = Trust()
    trust.receipts = try receipts()
    var withAccess: Int64 = 0
    for (position, balance) in balances {
      if question.environment == .production, position.environment == .sandbox {
        trust.excludedSandbox += Int(balance.lines)
      }
      guard question.environment.contains(position.environment) else { continue }
      trust.lines += Int(balance.lines)
      if position.state == .overdue { trust.overdue += Int(balance.lines) }
      if position.state.hasAccess { withAccess += balance.lines }
    }
    let fresh = try count(.fresh, question)
    trust.fresh24h = withAccess == 0 ? nil : Double(fresh) / Double(withAccess)
    trust.unpricedTransactions = try count(.unpriced, question)
    trust.excludedFamilyShared = try count(.shared, question)
    if question.environment == .production {
      var sandbox = question
      sandbox.environment = .sandbox
      trust.excludedSandbox += try count(.shared, sandbox)
    }
    return trust
  }

  /// How many facts of a family there are by the question's instant, of every product.
  private func count(_ family: FactFamily, _ question: Question) throws(Failure) -> Int {
    try facts(family, after: nil, through: question.at).reduce(0) { count, fact in
      count + (question.environment.contains(fact.key.environment) ? Int(fact.value.count) : 0)
    }
  }
}

extension PanelCounting {
  /// Every family that a report of the panel reads.
  var familiesRead: Set<FactFamily> {
    Set(families).union([.fresh, .unpriced, .shared]).union(
      panel == .overview ? DueHorizon.allCases.map { FactFamily($0) } : [])
  }
}
