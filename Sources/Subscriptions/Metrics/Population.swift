/// Everything that the figures are computed from: lines, one-time purchases and how many receipts hold them.
///
/// The pure evaluator works on this; the store answers the same questions from its derived rows, and a test holds the two equal.
public struct Population: Sendable {
  public var lines: [Line]
  public var oneTime: [OneTimePurchase]
  public var receipts: Int
  public var catalog: Catalog

  public init(lines: [Line], oneTime: [OneTimePurchase] = [], receipts: Int, catalog: Catalog) {
    self.lines = lines
    self.oneTime = oneTime
    self.receipts = receipts
    self.catalog = catalog
  }

  /// A consumable, non-consumable or non-renewing purchase: outside every subscription figure.
  public struct OneTimePurchase: Hashable, Sendable {
    public var environment: StoreEnvironment
    public var transaction: Transaction

    public init(environment: StoreEnvironment, transaction: Transaction) {
      self.environment = environment
      self.transaction = transaction
    }
  }

  /// Answers a question from the rows alone.
  public func report(_ question: Question) -> Report {
    let judged = self.judged(question)
    return Report(
      answering: question, trust: trust(question, judged: judged), data: figures(question, judged: judged))
  }

  private func figures(_ question: Question, judged: [JudgedLine]) -> Figures {
    switch question.panel {
    case .overview: .overview(overview(question, judged: judged))
    case .active: .active(ActiveFigures(judged, question))
    case .billingRetry: .billingRetry(BillingRetryFigures(judged, question))
    case .churn: .churn(ChurnFigures(judged, question, catalog: catalog))
    case .refunds: .refunds(refunds(question, judged: judged))
    case .upgrades: .upgrades(UpgradeFigures(judged, question))
    case .events: .events(EventFigures(judged, question))
    }
  }

  private func refunds(_ question: Question, judged: [JudgedLine]) -> RefundFigures {
    let oneTimeRefunds = oneTime.count {
      question.environment.contains($0.environment) && question.includes($0.transaction.productID)
        && $0.transaction.inAppOwnershipType != .familyShared
        && ($0.transaction.cancellationDate.map(question.window.contains) ?? false)
    }
    return RefundFigures(judged, question, oneTime: oneTimeRefunds)
  }

  private func overview(_ question: Question, judged: [JudgedLine]) -> OverviewFigures {
    OverviewFigures(
      active: ActiveFigures(judged, question), billingRetry: BillingRetryFigures(judged, question),
      churn: ChurnFigures(judged, question, catalog: catalog), refunds: refunds(question, judged: judged),
      upgrades: UpgradeFigures(judged, question), events: EventFigures(judged, question))
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
    let withAccess = judged.filter { [.trial, .active, .grace].contains($0.state) }
    let fresh = withAccess.count { ($0.line.validatedAt ?? .distantPast) > question.at - Milliseconds.day }
    trust.fresh24h = withAccess.isEmpty ? nil : Double(fresh) / Double(withAccess.count)
    trust.overdue = judged.count { $0.state == .overdue }
    trust.unpricedTransactions = judged.reduce(0) { sum, judged in
      sum + judged.line.rows.count { $0.price == nil && $0.purchase <= question.at }
    }
    let begun = lines.filter { $0.phase(at: question.at) != nil }
    trust.excludedSandbox =
      question.environment == .production ? begun.count { $0.id.environment == .sandbox } : 0
    trust.excludedFamilyShared = begun.count {
      question.environment.contains($0.id.environment) && $0.isFamilyShared
    }
    return trust
  }
}
