import Subscriptions

extension Answer {
  /// Apple's clock, or where an answer does not say it the latest purchase.
  var now: Instant { requestDate ?? transactions.map(\.purchaseDate).max() ?? Instant(milliseconds: 0) }

  /// What this one answer says of each chain: METRICS §2, Renewal info P, tells which infos are whose.
  var chains: [Chain] {
    let originals = Set(transactions.map(\.originalTransactionID)).sorted()
    return originals.map { original in
      let rows = transactions.filter { $0.originalTransactionID == original }
      let products = Set(rows.filter { $0.expiresDate != nil }.map(\.productID))
      let infos = renewalInfos.filter { info in
        info.originalTransactionID.map { $0 == original } ?? info.productID.map(products.contains) ?? false
      }
      return Chain(
        environment: environment, originalTransactionID: original, transactions: rows,
        renewals: infos.map { RenewalObservation(info: $0, observedAt: now) }, validatedAt: now)
    }
  }

  func lines(_ catalog: Catalog = .empty) -> [Line] { chains.flatMap { $0.lines(catalog: catalog) } }
}
