import Subscriptions

/// What an answer says of one chain.
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
