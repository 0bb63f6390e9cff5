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
    chain.sightings = Dictionary(
      transactions.map { ($0.transaction.transactionID, $0.sighting) },
      uniquingKeysWith: { first, _ in first })
    return chain
  }
}
