import GRDB
import Subscriptions

/// Takes one answer into the store: METRICS §1, where nothing is ever deleted because an answer omits it.
struct Ingest {
  let db: Database
  let catalog: Catalog

  /// Records what an answer says of its chains.
  ///
  /// - Parameters:
  ///   - isPartial: it says nothing of the transactions that it leaves out.
  ///   - receipt: the receipt that was answered for.
  ///   - observedAt: Apple's clock at the answer.
  /// - Returns: nil where the answer said nothing new at all; whether lines change their states is judged elsewhere.
  func take(
    _ answer: Answer, isPartial: Bool, of receipt: ReceiptID, observedAt: Instant
  ) throws -> AnswerNews? {
    let rows = Dictionary(grouping: answer.transactions, by: \.originalTransactionID)
    let infos = answer.renewalInfosByChain
    var news = AnswerNews()
    var hasNews = false
    for original in Set(rows.keys).union(infos.keys).sorted() {
      let before = db.totalChangesCount
      var chain = try ChainRecord.find(original, in: answer.environment, db)
      try chain.link(to: receipt, observedAt: observedAt, db)
      try chain.end(with: receipt, observedAt: observedAt, db)
      let isHeldAnew = db.totalChangesCount > before
      let log = try chain.log(db)
      let told = try merge(
        rows[original] ?? [], lagging: answer.lagging, into: chain, log: log, observedAt: observedAt)
      news.newTransactions += told.new
      let isNewRenewal = try merge(infos[original] ?? [], into: chain, log: log, observedAt: observedAt)
      hasNews = hasNews || isHeldAnew || told.hasNews || isNewRenewal
      try chain.validate(
        at: observedAt, withRenewals: infos[original] != nil, isPartial: isPartial, by: receipt, log: log,
        db)
      news += try Derivation(db: db, catalog: catalog).derive(chain)
    }
    return hasNews ? news : nil
  }

  private func merge(
    _ rows: [Transaction], lagging: Set<TransactionID>, into chain: ChainRecord, log: ValidationLog,
    observedAt t: Instant
  ) throws -> (new: Int, hasNews: Bool) {
    var told = Dictionary(rows.map { ($0.transactionID, $0) }, uniquingKeysWith: { first, _ in first })
    let histories = try StoredHistories(chain: chain, validations: log.all, db)
    var (new, hasNews) = (0, false)
    let last = max(log.all.last ?? t, t)
    for stored in try StoredTransaction.fetch(chain: chain, db) {
      let row = told.removeValue(forKey: stored.transaction.transactionID)
      let old = histories.history(of: stored)
      var history = old
      let shown = row.map { ShownEnds(ends: $0.ends, isLagging: lagging.contains($0.transactionID)) }
      history.take(shown, at: t, validations: log.all, sum: ShownEnds.sum)
      let evidence = Self.evidence(
        row?.filled(from: stored.transaction) ?? stored.transaction, history, last: last)
      hasNews =
        hasNews || evidence.transaction != stored.transaction || evidence.sighting != stored.sighting
        || history.knownEnds.map(\.start) != old.knownEnds.map(\.start)
      if evidence != stored.evidence { try stored.update(to: evidence, db) }
      try histories.write(history, of: stored, db)
    }
    for row in rows where told.removeValue(forKey: row.transactionID) != nil {
      let shown = ShownEnds(ends: row.ends, isLagging: lagging.contains(row.transactionID))
      let history = TransactionHistory([.init(from: t, through: t, value: shown)])
      try StoredTransaction.insert(Self.evidence(row, history, last: last), chain: chain.id, db)
      new += 1
    }
    return (new, hasNews || new > 0)
  }

  /// What the whole history of a transaction comes to.
  private static func evidence(
    _ row: Transaction, _ history: TransactionHistory, last: Instant
  ) -> StoredTransaction.Evidence {
    var row = row
    let known = history.knownEnds
    if let present = known.last { row.ends = present.ends }
    let newest = history.runs.last
    return StoredTransaction.Evidence(
      transaction: row,
      sighting: Sighting(first: known.first?.from ?? last, latest: known.last?.from ?? last),
      isLagging: newest?.value.isLagging ?? false,
      confirmedAt: newest?.through == last ? nil : newest?.through)
  }

  /// Keeps what is new, as a whole set: the elements of one answer belong together.
  private func merge(
    _ infos: [RenewalInfo], into chain: ChainRecord, log: ValidationLog, observedAt: Instant
  ) throws -> Bool {
    guard !infos.isEmpty else { return false }
    let stored = try StoredRenewal.fetch(chain: chain, db)
    let old = RenewalHistory(stored.map(\.observation), last: log.withRenewals.last)
    var new = old
    new.take(Set(infos), at: observedAt, validations: log.withRenewals) { $0.union($1) }
    guard new != old else { return false }
    return try StoredRenewals(chain: chain, rows: stored, db: db).write(new)
  }
}

extension EndsObservation {
  /// What is news: not that it was seen once more.
  fileprivate var start: EndsObservation { EndsObservation(ends: ends, from: from, through: from) }
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
