import GRDB
import Subscriptions

extension ChainRecord {
  /// The chain in the domain's terms.
  func domain(
    _ transactions: [StoredTransaction], _ renewals: [StoredRenewal], knownAt: Instant = .distantFuture,
    _ db: Database
  ) throws -> Chain {
    var chain = Chain(
      environment: environment, originalTransactionID: original,
      transactions: transactions.map(\.transaction),
      renewals: renewals.map(\.observation), users: try users(knownAt: knownAt, db), validatedAt: validatedAt)
    chain.goneAt = goneAt
    chain.bundleID = try bundleID(db)
    chain.notifications = try NotificationRecord.fetch(chain: self, knownAt: knownAt, db)
    chain.renewalsConfirmedAt = renewalsObservedAt.flatMap { $0 <= knownAt ? $0 : nil }
    chain.sightings = Dictionary(
      transactions.map { ($0.transaction.transactionID, $0.sighting) },
      uniquingKeysWith: { first, _ in first })
    return chain
  }

  /// The app of the receipts that hold the chain.
  private func bundleID(_ db: Database) throws -> BundleID? {
    let statement = try db.cachedStatement(sql: "SELECT \(Self.bundleID(ofChain: "?"))")
    return try BundleID.fetchOne(statement, arguments: [id])
  }

  /// The same as an SQL expression.
  static func bundleID(ofChain chain: String) -> String {
    """
    (SELECT q.bundle_id FROM receipt_chains k JOIN receipts q ON q.id = k.receipt_id
      WHERE k.chain_id = \(chain) AND q.bundle_id IS NOT NULL ORDER BY q.id LIMIT 1)
    """
  }
}
