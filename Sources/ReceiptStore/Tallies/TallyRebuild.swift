import GRDB
import Subscriptions

/// Is told how many chains of how many are done.
public typealias RebuildProgress = @Sendable (Int, Int) -> Void

/// Makes every derived row anew from the evidence, and the tallies with them.
struct TallyRebuild {
  /// Goes up by one with every change to what lines and rows are counted by: then stored tallies are no longer this program's.
  static let rule = 4

  let db: Database
  var progress: RebuildProgress = { _, _ in }

  func run() throws {
    try db.execute(
      sql: """
        DELETE FROM tallies; DELETE FROM spans; DELETE FROM sums;
        DELETE FROM tally_keys WHERE id NOT BETWEEN 1 AND \(TallyKeys.most);
        DELETE FROM event_rows WHERE shape_id NOT IN (SELECT id FROM event_shapes);
        """)
    try db.execute(
      sql: """
        UPDATE tally_state SET rule = ?, is_complete = 1, receipts = (SELECT count(*) FROM receipts),
          transactions = (SELECT count(*) FROM transaction_rows)
        """, arguments: [Self.rule])
    try db.execute(sql: "UPDATE ledger_state SET rule = ?, is_complete = 1", arguments: [LedgerBook.rule])
    let catalog = try CatalogTable.read(db)
    let ledger = TallyLedger(db: db, catalog: catalog)
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
      // None is touched first: nothing is left of what they added.
      for chain in page { try derivation.derive(chain) }
      try ledger.settle()
      (done, last) = (done + page.count, newest.id)
      progress(done, total)
    }
    try ledger.finish()
  }
}
