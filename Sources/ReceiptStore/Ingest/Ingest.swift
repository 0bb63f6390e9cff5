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
    let infos = renewalInfos(of: answer)
    var newTransactions = 0
    var hasNews = false
    for original in Set(rows.keys).union(infos.keys).sorted() {
      let before = db.totalChangesCount
      var chain = try ChainRecord.find(original, in: answer.environment, db)
      try chain.link(to: receipt, db)
      newTransactions += try merge(
        rows[original] ?? [], lagging: answer.lagging, into: chain, observedAt: observedAt)
      try merge(infos[original] ?? [], into: chain, observedAt: observedAt)
      hasNews = hasNews || db.totalChangesCount > before
      try chain.validate(at: observedAt, db)
      try Derivation(db: db, catalog: catalog).derive(chain)
    }
    return hasNews ? newTransactions : nil
  }

  /// An element without `original_transaction_id`, as in 2017, belongs to the chain of its product.
  private func renewalInfos(of answer: Answer) -> [OriginalTransactionID: [RenewalInfo]] {
    var chains: [ProductID: OriginalTransactionID] = [:]
    for row in answer.transactions.sorted(by: Transaction.inOrder) where row.expiresDate != nil {
      chains[row.productID] = row.originalTransactionID
    }
    var infos: [OriginalTransactionID: [RenewalInfo]] = [:]
    for info in answer.renewalInfos {
      let chain = info.originalTransactionID ?? info.productID.flatMap { chains[$0] }
      if let chain { infos[chain, default: []].append(info) }
    }
    return infos
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
        try StoredTransaction.insert(row, chain: chain.id, observedAt: observedAt, db)
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
    if observedAt >= known.sighting.latest {
      let merged = row.filled(from: old, keepingEnds: isLagging)
      guard merged != old else { return }
      if merged.ends != old.ends { try known.keepEarlier(old, observedAt: known.sighting.latest, db) }
      let latest = merged.ends != old.ends ? observedAt : known.sighting.latest
      try known.update(to: merged, sighting: Sighting(first: known.sighting.first, latest: latest), db)
    } else {
      let merged = old.filled(from: row, keepingEnds: false)
      let first = min(known.sighting.first, observedAt)
      let latest = row.ends == old.ends ? observedAt : known.sighting.latest
      if row.ends != old.ends, !isLagging { try known.keepEarlier(row, observedAt: observedAt, db) }
      guard merged != old || first != known.sighting.first || latest != known.sighting.latest else { return }
      try known.update(to: merged, sighting: Sighting(first: first, latest: latest), db)
    }
  }

  /// Keeps what is new, as a whole set: the elements of one answer belong together.
  private func merge(_ infos: [RenewalInfo], into chain: ChainRecord, observedAt: Instant) throws {
    guard !infos.isEmpty else { return }
    let earlier = try StoredRenewal.fetch(chain: chain, db).map(\.observation)
      .filter { $0.observedAt <= observedAt }
    let newest = earlier.filter { $0.observedAt == earlier.last?.observedAt }
    guard Set(newest.map(\.info)) != Set(infos) else { return }
    let after = chain.validatedAt.flatMap { $0 < observedAt ? $0 : newest.first?.observedAt }
    for info in infos {
      let observation = RenewalObservation(info: info, observedAfter: after, observedAt: observedAt)
      try StoredRenewal.insert(observation, chain: chain, db)
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

  /// This transaction with what it lacks taken from another sighting of it.
  ///
  /// - Parameter keepingEnds: `in_app` lags: there a missing cancellation is not evidence that there is none.
  fileprivate func filled(from other: Transaction, keepingEnds: Bool) -> Transaction {
    var filled = self
    filled.webOrderLineItemID = webOrderLineItemID ?? other.webOrderLineItemID
    filled.subscriptionGroupIdentifier = subscriptionGroupIdentifier ?? other.subscriptionGroupIdentifier
    filled.originalPurchaseDate = originalPurchaseDate ?? other.originalPurchaseDate
    filled.promotionalOfferID = promotionalOfferID ?? other.promotionalOfferID
    filled.offerCodeRefName = offerCodeRefName ?? other.offerCodeRefName
    filled.appAccountToken = appAccountToken ?? other.appAccountToken
    guard keepingEnds else { return filled }
    filled.expiresDate = expiresDate ?? other.expiresDate
    filled.cancellationDate = cancellationDate ?? other.cancellationDate
    filled.cancellationReason = cancellationReason ?? other.cancellationReason
    filled.isUpgraded = isUpgraded || other.isUpgraded
    return filled
  }
}
