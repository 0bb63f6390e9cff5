/// Sums for a window's figures and their trend, computed together so that each change is read once.
///
/// - `start`: balances at `Window.trendStart`.
/// - `before`: sums of the previous window; only balances if no figure needs its changes.
/// - `moves`: changes in each stretch (interval of the trend); empty if no figure needs them.
/// - `sums`: sums of the window itself.
typealias LedgerCourse = (start: LedgerSums, before: LedgerSums, moves: [LedgerSums], sums: LedgerSums)

extension Ledger {
  public func report(_ question: Question) throws(Failure) -> Report {
    if question.panel == .cohorts {
      let figures = try cohorts(question).figures(in: question.reportingCurrency)
      return Report(answering: question, trust: try trust(question), data: figures)
    }
    let course = try course(question)
    let dated = try DatedCounts(question, from: self)
    return Report(
      answering: question, trust: try trust(course.sums, question),
      data: try figures(course.sums, dated, question), trend: trend(course, dated, question))
  }

  /// Returns the `Trust` of a report about the question, without computing its figures.
  public func trust(_ question: Question) throws(Failure) -> Trust {
    try trust(sums(of: question.window), question)
  }

  private func figures(
    _ sums: LedgerSums, _ dated: DatedCounts, _ question: Question
  ) throws(Failure) -> FigureValues {
    if question.panel == .movement { return try movement(sums, question).values }
    let failing = question.panel == .billingRetry ? try failing(question) : nil
    var figures = FigureEvaluator(sums, dated, question).values(failing: failing)
    switch question.panel {
    case .overview:
      figures.addMovement(of: sums, question)
      figures.newestEvents = try events(question)
    case .billingRetry: figures.unpaid = failing?.rows ?? []
    case .upgrades: figures.upgrades = try upgrades(question)
    case .events:
      figures["count"] = dated[Panel.eventCount]
      figures.events = try events(question)
    case .offers: figures.consents = try pendingConsents(question)
    case .active, .churn, .recovery, .refunds, .cohorts, .movement: break
    }
    return figures
  }

  private func course(_ question: Question) throws(Failure) -> LedgerCourse {
    let (window, counting) = (question.window, PanelCounting(question.panel))
    let toStart = try changes(after: nil, through: window.trendStart)
    let toWindow = try changes(after: window.trendStart, through: window.from)
    var stretches: [[ChangeClass: ChangeSum]] = []
    var last = window.from
    for end in counting.followsLines ? window.stretchEnds : [window.to] {
      stretches.append(try changes(after: last, through: end))
      last = end
    }
    let sums = LedgerSums(
      earlier: toStart.merging(toWindow, uniquingKeysWith: +),
      changes: stretches.reduce(into: [:]) { $0.merge($1, uniquingKeysWith: +) })
    let before = question.before.window
    let earlier = counting.followsChanges ? try changes(after: before.from, through: before.to) : [:]
    // The previous calendar window ends on the same day of its period, so days may remain until this window.
    let between = counting.followsChanges ? try changes(after: before.to, through: window.from) : [:]
    return (
      LedgerSums(earlier: toStart, changes: [:]),
      LedgerSums(end: sums.start, changes: earlier, followedBy: between),
      counting.followsLines ? stretches.map { LedgerSums(earlier: [:], changes: $0) } : [], sums
    )
  }

  private func trend(_ course: LedgerCourse, _ dated: DatedCounts, _ question: Question) -> Trend {
    var trend = Trend(of: question.window)
    dated.add(to: &trend)
    trend.add(course, question)
    if question.panel == .overview || question.panel == .churn {
      var counter = LineCounter(question.panel, question)
      trend.churnRateBefore = counter.counts(course.before).churnRate
    }
    trend.currenciesByLines = course.sums.currenciesByLines(question)
    return trend
  }

  private func trust(_ sums: LedgerSums, _ question: Question) throws(Failure) -> Trust {
    var trust = Trust()
    trust.receipts = try receipts()
    var withAccess: Int64 = 0
    for (position, lines) in sums.end.lazy.map({ ($0.key, $0.value.rows) }) {
      if question.environment == .production, position.environment == .sandbox {
        trust.excludedSandbox += Int(lines)
      }
      guard question.environment.contains(position.environment) else { continue }
      trust.lines += Int(lines)
      if position.state == .overdue { trust.overdue += Int(lines) }
      if position.state.hasAccess { withAccess += lines }
    }
    let fresh = try count(.fresh, question)
    trust.fresh24h = withAccess == 0 || question.isLookingBack ? nil : Double(fresh) / Double(withAccess)
    trust.unpricedTransactions = try count(.unpriced, question)
    trust.excludedFamilyShared = try count(.shared, question)
    if question.environment == .production {
      var sandbox = question
      sandbox.environment = .sandbox
      trust.excludedSandbox += try count(.shared, sandbox)
    }
    if trust.lines == 0 { trust.hasOneTimePurchases = try hasOneTimePurchases(question) }
    return trust
  }

  /// Returns the number of a family's facts up to the question's instant, for all products and storefronts.
  private func count(_ family: FactFamily, _ question: Question) throws(Failure) -> Int {
    try facts(family, after: nil, through: question.at).reduce(0) { count, fact in
      count + (question.environment.contains(fact.key.environment) ? Int(fact.value.count) : 0)
    }
  }
}

extension PanelCounting {
  var episodeFamilies: [FactFamily] {
    switch panel {
    case .recovery: [.retry]
    case .offers: [.offer, .optOut, .endingSoon, .consent, .pendingConsent]
    default: []
    }
  }

  var familiesRead: Set<FactFamily> {
    Set(families + standingFamilies).union([.fresh, .unpriced, .shared]).union(
      panel == .recovery ? [.retry] : panel == .offers ? [.offer, .offerRevenue] : [])
  }
}
