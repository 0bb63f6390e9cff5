import GRDB
import Subscriptions

extension ReceiptStore {
  /// Answers a panel's question from one state of the store.
  ///
  /// A question about what was known in the past is answered by the pure evaluator over the evidence of that time.
  public func report(_ question: Question) throws(StoreError) -> Report {
    try report(question, isTallied: true)
  }

  /// - Parameter isTallied: false to look at every line, which is what the tallies are held against.
  package func report(_ question: Question, isTallied: Bool) throws(StoreError) -> Report {
    try read("answer \(question.panel.rawValue) from") { db in
      let catalog = try CatalogTable.read(db)
      if question.asKnownThen, try Evidence.isOlder(question.at, db) {
        return try Evidence(db: db, knownAt: question.at).population(catalog: catalog).report(question)
      }
      var asking = Asking(db: db, question: question, catalog: catalog)
      if isTallied { asking.tallied = try Tallied(asking, keys: tallyKeys) }
      return try asking.report()
    }
  }

  /// The lines and transactions behind a panel's figures, no more than the question's limit.
  ///
  /// - Parameter figure: only those behind this one, by its path in the panel's JSON.
  public func rows(behind question: Question, figure: String? = nil) throws(StoreError) -> FigureRows {
    try read("find the rows of \(question.panel.rawValue) in") { db in
      let catalog = try CatalogTable.read(db)
      if question.asKnownThen, try Evidence.isOlder(question.at, db) {
        return try Evidence(db: db, knownAt: question.at).population(catalog: catalog)
          .rows(question, figure: figure)
      }
      return try Asking(db: db, question: question, catalog: catalog).figureRows(figure)
    }
  }

  /// Everything that the store knows, in the domain's terms: what its own figures are held against.
  public func population() throws(StoreError) -> Population {
    try read("read everything from") { db in
      try Evidence(db: db, knownAt: .distantFuture).population(catalog: CatalogTable.read(db))
    }
  }
}

extension Asking {
  func report() throws -> Report {
    Report(answering: question, trust: try trust(), data: try figures(), trend: try trend())
  }

  private func figures() throws -> Figures {
    switch question.panel {
    case .overview:
      .overview(
        OverviewFigures(
          active: try active(), billingRetry: try billingRetry(), churn: try churn(), refunds: try refunds(),
          upgrades: try upgrades(), sales: try sales(), due: try due(), events: try newestEvents()))
    case .active: .active(try active())
    case .billingRetry: .billingRetry(try billingRetry())
    case .churn: .churn(try churn())
    case .refunds: .refunds(try refunds())
    case .upgrades: .upgrades(try upgrades())
    case .events: .events(try events())
    }
  }
}
