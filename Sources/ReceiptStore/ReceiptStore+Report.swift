import GRDB
import Subscriptions

extension ReceiptStore {
  /// Computes a panel's figures from a consistent state of the store.
  ///
  /// The figures come from stored sums. They are computed from the evidence instead if the query asks what
  /// was known at a past instant, or if the sums are incomplete or in another reporting currency.
  public func report(_ question: Question) throws(StoreError) -> Report {
    try read("compute the figures of \(question.panel.rawValue) from") { try report(question, $0) }
  }

  func report(_ question: Question, _ db: Database) throws -> Report {
    let catalog = try CatalogTable.read(for: question, db)
    if let evidence = try evidence(for: question, db) {
      return try evidence.report(question, catalog: catalog)
    }
    return try ledger(catalog, db).report(question)
  }

  /// Returns the lines and transactions behind a panel's figures, up to the query's limit; `figure` is the
  /// path of one figure in the panel's JSON.
  public func rows(behind question: Question, figure: String? = nil) throws(StoreError) -> FigureRows {
    try rows(behind: question, figure: figure) { _, _ in true } ?? FigureRows(count: 0, rows: [])
  }

  /// Returns the lines and transactions behind a panel's figures, with progress for long lists.
  ///
  /// - Parameter watch: Receives the number of rows read and the total, after each page of chains. If `watch`
  ///   returns `false`, the reading stops, and the result is `nil`.
  public func rows(
    behind question: Question, figure: String?, watching watch: (_ read: Int, _ all: Int) -> Bool
  ) throws(StoreError) -> FigureRows? {
    try read("find the rows of \(question.panel.rawValue) in") { db in
      let catalog = try CatalogTable.read(for: question, db)
      if let evidence = try evidence(for: question, db) {
        return try evidence.ledger(catalog: catalog, panel: question.panel).rows(question, figure: figure)
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

  public func evidenceLedger() throws(StoreError) -> EvidenceLedger {
    try read("read the evidence of") { db in
      try EvidenceAsOf(db: db).ledger(catalog: CatalogTable.readWithRates(db))
    }
  }

  func ledger(_ catalog: Catalog, _ db: Database) throws -> StoredLedger {
    try StoredLedger(db: db, catalog: catalog, classes: classes)
  }

  func trust(_ question: Question, _ db: Database) throws -> Trust {
    guard let evidence = try evidence(for: question, db) else {
      return try ledger(.empty, db).trust(question)
    }
    return try evidence.report(question, catalog: .empty).trust
  }

  /// Returns the evidence from which a query must be answered, or `nil` if the stored sums suffice.
  func evidence(for question: Question, _ db: Database) throws -> EvidenceAsOf? {
    if SharedNeeds.current != nil {
      try Self.checkShared(question, db)
      return nil
    }
    let knownAt = question.knownAt ?? question.at
    if question.asKnownThen, try EvidenceAsOf.isOlder(knownAt, db) {
      return EvidenceAsOf(db: db, knownAt: knownAt)
    }
    if try StoredLedger.isWhole(db), try Self.converts(question.reportingCurrency, db) { return nil }
    return EvidenceAsOf(db: db)
  }

  private static func checkShared(_ question: Question, _ db: Database) throws {
    guard !question.asKnownThen else {
      throw StoreError(
        "a team's server does not keep what was known earlier; use the store itself, without --shared")
    }
    if let conflict = SharedNeeds.current?.conflict { throw StoreError(conflict) }
    guard try StoredLedger.isWhole(db) else {
      throw StoreError(
        "the published sums are incomplete; run `subtop status --rebuild` on the publishing machine")
    }
    guard try converts(question.reportingCurrency, db) else {
      let kept = try ReportingCurrency.read(db)
      throw StoreError(
        "its totals are in \(kept.map { "\($0)" } ?? "no reporting currency"); set the same reporting_currency"
      )
    }
  }

  private static func converts(_ reporting: CurrencyCode?, _ db: Database) throws -> Bool {
    try reporting == nil || reporting == ReportingCurrency.read(db)
  }
}

extension StoredLedger {
  /// Returns whether the sums follow this version's counting rules and include every amount.
  static func isWhole(_ db: Database) throws -> Bool {
    try Bool.fetchOne(
      db.cachedStatement(sql: "SELECT is_complete AND rollup_version = ? FROM ledger_state"),
      arguments: [RollupWriter.version]) ?? false
  }
}
