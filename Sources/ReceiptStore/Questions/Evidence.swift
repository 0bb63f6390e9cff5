import GRDB
import Subscriptions

/// What had been observed by an instant: every chain as the store knew it then.
struct Evidence {
  let db: Database
  let knownAt: Instant

  /// Whether something was observed after an instant.
  static func isOlder(_ t: Instant, _ db: Database) throws -> Bool {
    try Bool.fetchOne(
      db, sql: "SELECT max(ifnull(max(validated_at_ms), ?1), ifnull(max(gone_at_ms), ?1)) > ?1 FROM chains",
      arguments: [t])
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
    let transactions = try StoredTransaction.fetch(chain: record, db).filter { $0.sighting.first <= knownAt }
      .map(asKnown)
    let renewals = try StoredRenewal.fetch(chain: record, db).filter { $0.observation.observedAt <= knownAt }
    guard !transactions.isEmpty || !renewals.isEmpty else { return nil }
    var chain = try record.domain(transactions, renewals, knownAt: knownAt, db)
    if let validatedAt = record.validatedAt, validatedAt > knownAt {
      // Validations that brought nothing new leave no trace: the latest that did is a lower bound.
      chain.validatedAt =
        (transactions.flatMap { [$0.sighting.first, $0.sighting.latest] }
        + renewals.flatMap { [$0.observation.observedAfter, $0.observation.observedAt].compactMap(\.self) })
        .filter { $0 <= knownAt }.max()
    }
    if let gone = chain.goneAt, gone > knownAt { chain.goneAt = nil }
    return chain
  }

  /// The transaction with the ends that it was known to have.
  private func asKnown(_ stored: StoredTransaction) throws -> StoredTransaction {
    guard stored.sighting.latest > knownAt else { return stored }
    let statement = try db.cachedStatement(
      sql: """
        SELECT observed_at_ms, expires_date_ms, cancellation_date_ms, cancellation_reason, is_upgraded
        FROM transaction_changes WHERE transaction_id = ? AND observed_at_ms <= ?
        ORDER BY observed_at_ms DESC LIMIT 1
        """)
    guard let row = try FetchedRow.fetchOne(statement, arguments: [stored.rowID, knownAt]) else {
      return stored
    }
    var earlier = stored
    earlier.sighting.latest = row[0]
    earlier.transaction.expiresDate = row[1]
    earlier.transaction.cancellationDate = row[2]
    earlier.transaction.cancellationReason = row[3]
    earlier.transaction.isUpgraded = row[4]
    return earlier
  }
}
