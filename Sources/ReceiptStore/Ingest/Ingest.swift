import GRDB
import Subscriptions

/// Takes one answer into the store: METRICS §1, where nothing is ever deleted because an answer omits it.
struct Ingest {
  let db: Database
  let catalog: Catalog

  /// Records what an answer says of its chains.
  ///
  /// - Parameters:
  ///   - receipt: the receipt that was answered for.
  ///   - observedAt: Apple's clock at the answer.
  /// - Returns: how many transactions had never been seen; nil where the answer said nothing new at all.
  func take(_ answer: Answer, of receipt: ReceiptID, observedAt: Instant) throws -> Int? {
    let rows = Dictionary(grouping: answer.transactions, by: \.originalTransactionID)
    let infos = answer.renewalInfosByChain
    var newTransactions = 0
    var hasNews = false
    for original in Set(rows.keys).union(infos.keys).sorted() {
      let before = db.totalChangesCount
      var chain = try ChainRecord.find(original, in: answer.environment, db)
      try chain.link(to: receipt, observedAt: observedAt, db)
      newTransactions += try merge(
        rows[original] ?? [], lagging: answer.lagging, into: chain, observedAt: observedAt)
      try merge(infos[original] ?? [], into: chain, observedAt: observedAt)
      hasNews = hasNews || db.totalChangesCount > before
      try chain.validate(at: observedAt, withRenewals: infos[original] != nil, db)
      try Derivation(db: db, catalog: catalog).derive(chain)
    }
    return hasNews ? newTransactions : nil
  }

  private func merge(
    _ rows: [Transaction], lagging: Set<TransactionID>, into chain: ChainRecord, observedAt: Instant
  ) throws -> Int {
    guard !rows.isEmpty else { return 0 }
    let stored = Dictionary(
      try StoredTransaction.fetch(chain: chain, db).map { ($0.transaction.transactionID, $0) },
      uniquingKeysWith: { first, _ in first })
    var new = 0
    for row in rows {
      if let known = stored[row.transactionID] {
        try merge(row, isLagging: lagging.contains(row.transactionID), into: known, observedAt: observedAt)
      } else {
        try StoredTransaction.insert(
          row, isLagging: lagging.contains(row.transactionID), chain: chain.id, observedAt: observedAt, db)
        new += 1
      }
    }
    return new
  }

  /// The newest observation holds; what it replaces is kept with the instant from which it held.
  private func merge(
    _ row: Transaction, isLagging: Bool, into known: StoredTransaction, observedAt: Instant
  ) throws {
    let old = known.transaction
    var (sighting, lags) = (known.sighting, known.isLagging)
    sighting.first = min(sighting.first, observedAt)
    let merged: Transaction
    if observedAt >= sighting.latest {
      merged = isLagging ? old.adding(row) : row.filled(from: old)
      if merged.ends != old.ends {
        try known.keepEarlier(old, observedAt: sighting.latest, db)
        sighting.latest = observedAt
      }
      lags = isLagging && (lags || merged.ends != old.ends)
    } else {
      merged = lags ? row.adding(old) : old.filled(from: row)
      if row.ends != merged.ends, !isLagging { try known.keepEarlier(row, observedAt: observedAt, db) }
      if row.ends == merged.ends { (sighting.latest, lags) = (observedAt, lags && isLagging) }
    }
    guard merged != old || sighting != known.sighting || lags != known.isLagging else { return }
    try known.update(to: merged, sighting: sighting, isLagging: lags, db)
  }

  /// Keeps what is new, as a whole set: the elements of one answer belong together.
  private func merge(_ infos: [RenewalInfo], into chain: ChainRecord, observedAt: Instant) throws {
    guard !infos.isEmpty else { return }
    let history = RenewalHistory(
      try StoredRenewal.fetch(chain: chain, db).map(\.observation), confirmedAt: chain.renewalsObservedAt)
    for step in history.steps(toTake: infos, at: observedAt) {
      try StoredRenewal.take(step, chain: chain, db)
    }
  }
}

extension Transaction {
  /// The fields that a later answer can change: how the period ends.
  fileprivate struct Ends: Hashable {
    var expires: Instant?
    var cancellation: Instant?
    var reason: String?
    var isUpgraded: Bool
  }

  fileprivate var ends: Ends {
    Ends(
      expires: expiresDate, cancellation: cancellationDate, reason: cancellationReason, isUpgraded: isUpgraded
    )
  }

  /// This transaction with what it lacks taken from another sighting of it. A missing end is not filled: it says that
  /// there is none.
  fileprivate func filled(from other: Transaction) -> Transaction {
    var filled = self
    filled.webOrderLineItemID = webOrderLineItemID ?? other.webOrderLineItemID
    filled.subscriptionGroupIdentifier = subscriptionGroupIdentifier ?? other.subscriptionGroupIdentifier
    filled.originalPurchaseDate = originalPurchaseDate ?? other.originalPurchaseDate
    filled.promotionalOfferID = promotionalOfferID ?? other.promotionalOfferID
    filled.offerCodeRefName = offerCodeRefName ?? other.offerCodeRefName
    filled.appAccountToken = appAccountToken ?? other.appAccountToken
    return filled
  }

  /// This transaction with what a sighting in `in_app` adds. That place lags: it takes nothing back.
  fileprivate func adding(_ lagging: Transaction) -> Transaction {
    var sum = filled(from: lagging)
    sum.expiresDate = [expiresDate, lagging.expiresDate].compactMap(\.self).max()
    sum.cancellationDate = lagging.cancellationDate ?? cancellationDate
    sum.cancellationReason = lagging.cancellationReason ?? cancellationReason
    sum.isUpgraded = isUpgraded || lagging.isUpgraded
    return sum
  }
}

extension Answer {
  /// An element without `original_transaction_id`, as in 2017, belongs to the chain of its product.
  var renewalInfosByChain: [OriginalTransactionID: [RenewalInfo]] {
    var chains: [ProductID: OriginalTransactionID] = [:]
    for row in transactions.sorted(by: Transaction.inOrder) where row.expiresDate != nil {
      chains[row.productID] = row.originalTransactionID
    }
    var infos: [OriginalTransactionID: [RenewalInfo]] = [:]
    for info in renewalInfos {
      let chain = info.originalTransactionID ?? info.productID.flatMap { chains[$0] }
      if let chain { infos[chain, default: []].append(info) }
    }
    return infos
  }
}
