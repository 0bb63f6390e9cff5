import GRDB
import Subscriptions

/// What had been observed by an instant: every chain as the store knew it then.
struct EvidenceAsOf {
  private let db: Database
  let knownAt: Instant
  private let shapes: Shapes

  /// - Parameter knownAt: by default everything that the store knows.
  init(db: Database, knownAt: Instant = .distantFuture) {
    (self.db, self.knownAt) = (db, knownAt)
    shapes = Shapes(db: db)
  }

  /// Whether something was observed after an instant.
  static func isOlder(_ t: Instant, _ db: Database) throws -> Bool {
    try Bool.fetchOne(
      db,
      sql: """
        SELECT EXISTS (SELECT 1 FROM chains WHERE validated_at_ms > ?1)
          OR EXISTS (SELECT 1 FROM chains WHERE gone_at_ms > ?1)
          OR EXISTS (SELECT 1 FROM signed_terms WHERE signed_at_ms > ?1)
        """, arguments: [t])
      ?? false
  }

  func population(catalog: Catalog) throws -> Population {
    let receipts = try Int.fetchOne(db, sql: "SELECT count(*) FROM receipts") ?? 0
    let chains = try FetchedRow.fetchAll(db, sql: "SELECT \(ChainRecord.columns) FROM chains c ORDER BY c.id")
      .compactMap { try chain(ChainRecord($0)) }
    return Population(chains, receipts: receipts, catalog: catalog)
  }

  /// Nil where nothing of the chain had been observed.
  func chain(_ record: ChainRecord) throws -> Chain? {
    let chain = try record.domain(
      StoredTransaction.fetch(chain: record, shapes, db), StoredRenewal.fetch(chain: record, db),
      knownAt: knownAt,
      db
    )
    return chain.transactions.isEmpty && chain.renewals.isEmpty && chain.notifications.isEmpty ? nil : chain
  }
}
