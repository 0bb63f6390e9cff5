import GRDB
import Subscriptions

extension ReceiptStore {
  /// Answers a panel's question from one state of the store.
  ///
  /// A question about what was known in the past is answered by the pure evaluator over the evidence of that time, and so is any where
  /// the sums are not whole.
  public func report(_ question: Question) throws(StoreError) -> Report {
    try read("answer \(question.panel.rawValue) from") { db in
      let catalog = try CatalogTable.read(db)
      if let population = try evaluated(question, catalog, db) { return population.report(question) }
      return try query(question, catalog, db).report()
    }
  }

  /// The lines and transactions behind a panel's figures, no more than the question's limit.
  ///
  /// - Parameter figure: only those behind this one, by its path in the panel's JSON.
  public func rows(behind question: Question, figure: String? = nil) throws(StoreError) -> FigureRows {
    try read("find the rows of \(question.panel.rawValue) in") { db in
      let catalog = try CatalogTable.read(db)
      if let population = try evaluated(question, catalog, db) {
        return population.rows(question, figure: figure)
      }
      return try query(question, catalog, db).figureRows(figure)
    }
  }

  /// Everything that the store knows, in the domain's terms: what its own figures are held against.
  public func population() throws(StoreError) -> Population {
    try read("read everything from") { db in
      try EvidenceAsOf(db: db, knownAt: .distantFuture).population(catalog: CatalogTable.read(db))
    }
  }

  /// Whether sums answer questions: not where an amount was too large to be added up, or the store is another program's work.
  package func answersFromSums() throws(StoreError) -> Bool {
    try read("look at the sums of") { db in try StoreQuery.isSummed(db) }
  }

  func query(_ question: Question, _ catalog: Catalog, _ db: Database) throws -> StoreQuery {
    StoreQuery(
      db: db, question: question, catalog: catalog, ledger: try StoredLedger(db: db, classes: classes),
      facts: try StoredFacts(db: db, classes: factClasses, catalog: catalog))
  }

  /// What a question that the sums cannot answer is answered from.
  private func evaluated(_ question: Question, _ catalog: Catalog, _ db: Database) throws -> Population? {
    if question.asKnownThen, try EvidenceAsOf.isOlder(question.at, db) {
      return try EvidenceAsOf(db: db, knownAt: question.at).population(catalog: catalog)
    }
    if try StoreQuery.isSummed(db) { return nil }
    return try EvidenceAsOf(db: db, knownAt: .distantFuture).population(catalog: catalog)
  }
}

extension StoreQuery {
  static func isSummed(_ db: Database) throws -> Bool {
    try Bool.fetchOne(
      db.cachedStatement(
        sql: "SELECT is_complete AND rule = ? FROM ledger_state"), arguments: [LedgerBook.rule]) ?? false
  }

  func report() throws -> Report {
    let course = try ledger.course(of: question.window)
    let facts = try WindowFacts(
      question.panel.families, question.window, withBefore: question.panel != .active, facts)
    return Report(
      answering: question, trust: try trust(course.window.end), data: try figures(course.window, facts),
      trend: try trend(course, facts))
  }

  private func figures(_ sums: LedgerSums, _ facts: WindowFacts) throws -> Figures {
    switch question.panel {
    case .overview:
      .overview(
        OverviewFigures(
          active: ActiveFigures(sums, question), billingRetry: BillingRetryFigures(sums, question),
          churn: try churn(sums, facts), refunds: try refunds(facts), upgrades: try upgrades(sums, facts),
          sales: try sales(facts), due: try due(), events: try newestEvents()))
    case .active: .active(ActiveFigures(sums, question))
    case .billingRetry: .billingRetry(try billingRetry(sums))
    case .churn: .churn(try churn(sums, facts))
    case .refunds: .refunds(try refunds(facts))
    case .upgrades: .upgrades(try upgrades(sums, facts))
    case .events: .events(try events(facts))
    case .movement: .declared(LedgerFigures(Movement.groups, from: sums, question))
    }
  }

  private func trend(_ course: LedgerCourse, _ facts: WindowFacts) throws -> Trend {
    if let groups = question.panel.declaredFigures { return course.trend(groups, question) }
    var trend = Trend(of: question.window)
    var courses = FactCourses(question)
    for (place, sums) in facts.stretches.enumerated() { courses.add(sums, at: place) }
    courses.add(facts.before, at: nil)
    courses.write(to: &trend)
    if question.panel.tellsRenewals { try addPeriods(facts, to: &trend) }
    if question.panel == .overview, question.smallBusinessProgram.changes(within: question) {
      try addSmallBusiness(to: &trend)
    }
    trend.add(course, question)
    return trend
  }
}

extension Panel {
  var tellsRenewals: Bool { self == .overview || self == .churn }

  /// What of the window a panel's figures are made from, apart from the ledger.
  fileprivate var families: [FactFamily] {
    switch self {
    case .overview: [.bought, .due, .trialEnd, .refund, .upgrade]
    case .active, .billingRetry, .movement: []
    case .churn: [.bought, .due, .trialEnd]
    case .refunds: [.bought, .refund, .oneTimeRefund]
    case .upgrades: [.change, .undated, .upgrade]
    case .events: [.event]
    }
  }
}
