import Subscriptions

/// Rows of a chain that a full answer is the first to contain.
struct NewChain: Sendable {
  var part: AnswerPart
  var evidence: [StoredTransaction.Evidence]
  var derived: DerivedChain

  /// - Parameter chain: Chain with its other known values, such as its holders.
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

struct AnswerPart: Sendable {
  var original: OriginalTransactionID
  var rows: [Transaction]
  /// `nil` if the answer has none for the chain.
  var infos: [RenewalInfo]?
  var terms: [RenewalTerms]
}

extension Answer {
  /// Parts by chain, sorted so that chains are always written in the same order.
  var parts: [AnswerPart] {
    let rows = Dictionary(grouping: transactions, by: \.originalTransactionID)
    let infos = renewalInfosByChain
    let terms = Dictionary(grouping: renewalTerms, by: \.originalTransactionID)
    return Set(rows.keys).union(infos.keys).sorted().map {
      AnswerPart(original: $0, rows: rows[$0] ?? [], infos: infos[$0], terms: terms[$0] ?? [])
    }
  }

  /// Renewal infos by chain. An element without `original_transaction_id`, as in 2017, belongs to the chain
  /// of its product.
  var renewalInfosByChain: [OriginalTransactionID: [RenewalInfo]] {
    var chains: [ProductID: OriginalTransactionID] = [:]
    if renewalInfos.contains(where: { $0.originalTransactionID == nil }) {
      for row in transactions.sorted(by: Transaction.inOrder) where row.expiresDate != nil {
        chains[row.productID] = row.originalTransactionID
      }
    }
    var infos: [OriginalTransactionID: [RenewalInfo]] = [:]
    for info in renewalInfos {
      let chain = info.originalTransactionID ?? info.productID.flatMap { chains[$0] }
      if let chain { infos[chain, default: []].append(info) }
    }
    return infos
  }
}
