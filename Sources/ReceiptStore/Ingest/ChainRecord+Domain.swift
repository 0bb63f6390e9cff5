import GRDB
import Subscriptions

extension ChainRecord {
  /// The chain in the domain's terms.
  func domain(
    _ transactions: [StoredTransaction], _ renewals: [StoredRenewal], _ db: Database
  ) throws -> Chain {
    var chain = Chain(
      environment: environment, originalTransactionID: original,
      transactions: transactions.map(\.transaction),
      renewals: renewals.map(\.observation), users: try users(db), validatedAt: validatedAt)
    chain.sightings = Dictionary(
      transactions.map { ($0.transaction.transactionID, $0.sighting) },
      uniquingKeysWith: { first, _ in first })
    return chain
  }
}
