import Dispatch
import GRDB
import Subscriptions

/// Callback with the number of chains done and the total.
public typealias RebuildProgress = @Sendable (Int, Int) -> Void

extension ReceiptStore {
  /// Rebuilds every derived row from the evidence in one transaction: lines, spans, the feed and sums.
  ///
  /// - Parameter reporting: New reporting currency; `nil` keeps the current one.
  public func rebuild(
    reporting: CurrencyCode? = nil, progress: @escaping RebuildProgress = { _, _ in }
  ) throws(StoreError) {
    defer { checkpoint() }
    try write("rebuild") { db in
      if let reporting { try ReportingCurrency.write(reporting, db) }
      try LedgerRebuild(db: db, reader: database, progress: progress).run()
    }
  }
}

struct LedgerRebuild {
  let db: Database
  /// Connection that reads the evidence as it was before the transaction, which must not have changed it.
  let reader: any DatabaseReader
  var progress: RebuildProgress = { _, _ in }

  func run() throws {
    try StoreConnections.keepMorePages(db)
    defer { StoreConnections.keepUsualPages(db) }
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
    let ledger = RollupTransaction(db: db, catalog: catalog)
    let derivation = Derivation(db: db, catalog: catalog, ledger: ledger)
    let total = try Int.fetchOne(db, sql: "SELECT count(*) FROM chains") ?? 0
    let chains = ChainsAhead(reader, catalog: catalog)
    defer { chains.stop() }
    var done = 0
    while let page = try chains.next() {
      for chain in page { try derivation.derive(chain, isCounted: false) }
      try ledger.flush()
      done += page.count
      progress(done, total)
    }
    try ledger.finish()
    _ = try indexes.make(db) { _, _ in true }
  }
}

/// Reads and derives all chains ahead of the writer, on another thread and connection.
private final class ChainsAhead: Sendable {
  private enum Step: Sendable {
    case page([ReadChain])
    case failed(any Error)
    case end
  }

  private let steps = BlockingQueue<Step>(atMost: 4)
  private let queue = DispatchQueue(label: "subtop.rebuild", qos: .userInitiated)

  init(_ reader: any DatabaseReader, catalog: Catalog) {
    queue.async { [steps] in
      do {
        try reader.read { db in
          let shapes = AttributeDictionary(db: db)
          var last = Int64.min
          while true {
            let chains = try ChainEvidence.fetch(.fetch(after: last, atMost: 200, db), shapes, db)
            let page = zip(chains, try StoredEvent.fetch(of: chains, shapes, db)).map {
              ReadChain($0, feed: $1, catalog: catalog)
            }
            guard let newest = page.last, steps.put(.page(page)) else { return }
            last = newest.record.id
          }
        }
        _ = steps.put(.end)
      } catch {
        _ = steps.put(.failed(error))
      }
    }
  }

  /// Returns the next page, waiting for it; `nil` at the end.
  func next() throws -> [ReadChain]? {
    switch steps.take() {
    case .page(let page): return page
    case .failed(let error): throw error
    case .end, nil: return nil
    }
  }

  /// Ends reading, and waits for the thread.
  func stop() {
    steps.close()
    queue.sync {}
  }
}
