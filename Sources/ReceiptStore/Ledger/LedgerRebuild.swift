import GRDB
import Subscriptions

/// Callback that receives the number of rebuilt chains and the number of all chains.
public typealias RebuildProgress = @Sendable (Int, Int) -> Void

extension ReceiptStore {
  /// Rebuilds all derived rows from the evidence in one transaction; `reporting` sets the reporting currency.
  public func rebuild(
    reporting: CurrencyCode? = nil, progress: @escaping RebuildProgress = { _, _ in }
  ) throws(StoreError) {
    defer { checkpoint() }
    try write("rebuild") { db in
      if let reporting { try ReportingCurrency.write(reporting, db) }
      try LedgerRebuild(db: db, progress: progress).run()
    }
  }
}

struct LedgerRebuild {
  let db: Database
  var progress: RebuildProgress = { _, _ in }

  func run() throws {
    try StoreConnections.keepMorePages(db)
    defer { StoreConnections.keepUsualPages(db) }
    try PublicationJournal.noteAllSums(db)
    try db.execute(
      sql: """
        DELETE FROM spans; DELETE FROM episodes; DELETE FROM sums;
        DELETE FROM event_rows WHERE shape_id NOT IN (SELECT id FROM event_shapes);
        """)
    try db.execute(
      sql: """
        UPDATE ledger_state SET rollup_version = ?, is_complete = 1, receipts = (SELECT count(*) FROM receipts),
          transactions = (SELECT count(*) FROM transaction_rows WHERE duplicate_of IS NULL)
        """, arguments: [RollupWriter.version])
    var indexes = try LateIndexes(db)
    try indexes.takeThoseOfSpans(db)
    let catalog = try CatalogTable.readWithRates(db)
    let ledger = RollupWriter(db: db, catalog: catalog)
    let derivation = Derivation(db: db, catalog: catalog, ledger: ledger)
    let total = try Int.fetchOne(db, sql: "SELECT count(*) FROM chains") ?? 0
    var (done, last) = (0, Int64.min)
    while let chains = try ChainEvidence.fetch(after: &last, ledger.shapes, db) {
      for (chain, feed) in zip(chains, try StoredEvent.fetch(of: chains, ledger.shapes, db)) {
        try derivation.derive(chain, feed: feed, isCounted: false)
      }
      try ledger.flush()
      done += chains.count
      progress(done, total)
    }
    try ledger.finish()
    _ = try indexes.make(db) { _, _ in true }
  }
}
