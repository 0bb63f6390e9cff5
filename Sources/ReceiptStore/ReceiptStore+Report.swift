import GRDB
import Subscriptions

extension ReceiptStore {
  /// Answers a panel's question from one state of the store.
  ///
  /// A question about what was known in the past is answered by the pure evaluator over the evidence of that time, and so is any where
  /// the sums are not whole.
  public func report(_ question: Question) throws(StoreError) -> Report {
    try read("answer \(question.panel.rawValue) from") { db in
      let catalog = try CatalogTable.read(for: question, db)
      if let evidence = try evidence(for: question, db) {
        return try evidence.report(question, catalog: catalog)
      }
      return try ledger(catalog, db).report(question)
    }
  }

  /// The lines and transactions behind a panel's figures, no more than the question's limit.
  ///
  /// - Parameter figure: only those behind this one, by its path in the panel's JSON.
  public func rows(behind question: Question, figure: String? = nil) throws(StoreError) -> FigureRows {
    try rows(behind: question, figure: figure) { _, _ in true } ?? FigureRows(count: 0, rows: [])
  }

  /// The same of a list that may be long.
  ///
  /// - Parameter watch: is told every some hundred rows how many of how many were read, and says whether to go on.
  /// - Returns: nil where it said no.
  public func rows(
    behind question: Question, figure: String?, watching watch: (_ read: Int, _ all: Int) -> Bool
  ) throws(StoreError) -> FigureRows? {
    try read("find the rows of \(question.panel.rawValue) in") { db in
      let catalog = try CatalogTable.read(for: question, db)
      if let evidence = try evidence(for: question, db) {
        return try evidence.population(catalog: catalog).rows(question, figure: figure)
      }
      return try withoutActuallyEscaping(watch) { watch in
        do {
          return try ledger(catalog, db).rows(behind: figure, question, ListReading(watch))
        } catch is ListReading.Stopped {
          return nil
        }
      }
    }
  }

  /// Everything that the store knows, in the domain's terms: what its own figures are held against.
  public func population() throws(StoreError) -> Population {
    try read("read everything from") { db in
      try EvidenceAsOf(db: db).population(catalog: CatalogTable.readWithRates(db))
    }
  }

  /// Whether sums answer questions: not where an amount was too large to be added up, or the store is another program's work.
  package func answersFromSums() throws(StoreError) -> Bool {
    try read("look at the sums of") { db in try StoredLedger.isWhole(db) }
  }

  func ledger(_ catalog: Catalog, _ db: Database) throws -> StoredLedger {
    try StoredLedger(
      db: db, catalog: catalog, classes: classes, factClasses: factClasses, cache: ledgerCache)
  }

  /// What any answer to a question stands on.
  func trust(_ question: Question, _ db: Database) throws -> Trust {
    guard let evidence = try evidence(for: question, db) else {
      return try ledger(.empty, db).trust(question)
    }
    return try evidence.report(question, catalog: .empty).trust
  }

  /// What a question that the sums cannot answer is answered from.
  private func evidence(for question: Question, _ db: Database) throws -> EvidenceAsOf? {
    let knownAt = question.knownAt ?? question.at
    if question.asKnownThen, try EvidenceAsOf.isOlder(knownAt, db) {
      return EvidenceAsOf(db: db, knownAt: knownAt)
    }
    if try StoredLedger.isWhole(db), try Self.tells(question.reportingCurrency, db) { return nil }
    return EvidenceAsOf(db: db)
  }

  /// Whether the sums tell amounts in a currency.
  private static func tells(_ reporting: CurrencyCode?, _ db: Database) throws -> Bool {
    try reporting == nil || reporting == ReportingCurrency.read(db)
  }
}

extension StoredLedger {
  /// Whether the sums are this program's, and hold every amount.
  static func isWhole(_ db: Database) throws -> Bool {
    try Bool.fetchOne(
      db.cachedStatement(sql: "SELECT is_complete AND rule = ? FROM ledger_state"),
      arguments: [LedgerBook.rule]) ?? false
  }
}
