import GRDB
import Subscriptions

/// Is told how many chains of how many are done.
public typealias RebuildProgress = @Sendable (Int, Int) -> Void

extension ReceiptStore {
  /// Makes every derived row anew from the evidence: lines, spans, the feed, and the sums that figures are read from. All of
  /// it or nothing.
  public func rebuild(progress: @escaping RebuildProgress = { _, _ in }) throws(StoreError) {
    defer { settle() }
    try write("rebuild") { db in try LedgerRebuild(db: db, progress: progress).run() }
  }
}

/// Makes every derived row anew from the evidence, and the sums with them.
struct LedgerRebuild {
  let db: Database
  var progress: RebuildProgress = { _, _ in }

  func run() throws {
    try db.execute(
      sql: """
        DELETE FROM spans; DELETE FROM sums;
        DELETE FROM event_rows WHERE shape_id NOT IN (SELECT id FROM event_shapes);
        """)
    try db.execute(
      sql: """
        UPDATE ledger_state SET rule = ?, is_complete = 1, receipts = (SELECT count(*) FROM receipts),
          transactions = (SELECT count(*) FROM transaction_rows)
        """, arguments: [LedgerBook.rule])
    let catalog = try CatalogTable.read(db)
    let ledger = CommitLedger(db: db, catalog: catalog)
    let derivation = Derivation(db: db, catalog: catalog, ledger: ledger)
    let total = try Int.fetchOne(db, sql: "SELECT count(*) FROM chains") ?? 0
    var (done, last) = (0, Int64.min)
    while true {
      let page = try FetchedRow.fetchAll(
        db.cachedStatement(
          sql: "SELECT \(ChainRecord.columns) FROM chains c WHERE c.id > ? ORDER BY c.id LIMIT 1000"),
        arguments: [last]
      ).map(ChainRecord.init)
      guard let newest = page.last else { break }
      for chain in page { try derivation.deriveUncounted(chain) }
      try ledger.settle()
      (done, last) = (done + page.count, newest.id)
      progress(done, total)
    }
    try ledger.finish()
  }
}
