import Subscriptions

/// A chain that a full answer is the first to tell of: all that is to be written of it.
struct NewChain: Sendable {
  var part: AnswerPart
  var evidence: [StoredTransaction.Evidence]
  var derived: DerivedChain

  /// - Parameter chain: what is known of it besides, such as who holds it.
  init(
    _ chain: Chain, _ part: AnswerPart, lagging: Set<TransactionID>, observedAt: Instant, catalog: Catalog
  ) {
    self.part = part
    let sighting = Sighting(first: observedAt, latest: observedAt)
    var chain = chain
    evidence = []
    for row in part.rows where chain.sightings.updateValue(sighting, forKey: row.transactionID) == nil {
      evidence.append(
        StoredTransaction.Evidence(
          transaction: row, sighting: sighting, isLagging: lagging.contains(row.transactionID),
          confirmedAt: nil))
    }
    chain.transactions = evidence.map(\.transaction)
    chain.renewalTerms = part.terms
    chain.validatedAt = observedAt
    chain.validations = [observedAt]
    if let infos = part.infos {
      chain.renewals =
        RenewalHistory([.init(from: observedAt, through: observedAt, value: Set(infos))])
        .observations
      chain.renewalsConfirmedAt = observedAt
      chain.renewalValidations = [observedAt]
    }
    derived = DerivedChain(chain, catalog: catalog)
  }
}
