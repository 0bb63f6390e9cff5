import GRDB
import Subscriptions

/// Merges answers into the store, which keeps data that an answer omits (METRICS §1.6).
struct Ingest {
  let db: Database
  let catalog: Catalog
  let ledger: RollupWriter

  /// Merges the chains of an answer.
  ///
  /// - Parameters:
  ///   - isPartial: Whether transactions missing from the answer may still exist.
  ///   - isSigned: Whether the answer is a single signed transaction, which is not a validation.
  ///   - observedAt: Date of the answer, by Apple's clock if known.
  ///   - isLast: Whether to derive the chains; if `false`, a later call for the same chains must derive them.
  /// - Returns: Counts of new data, except state changes, which the caller counts; `nil` if nothing is new.
  func take(
    _ answer: Answer, isPartial: Bool, isSigned: Bool = false, of receipt: ReceiptID, observedAt: Instant,
    isLast: Bool = true
  ) throws -> AnswerNews? {
    var news = AnswerNews()
    var hasNews = false
    for part in answer.parts {
      let before = db.totalChangesCount
      var chain = try ledger.touch(part.original, in: answer.environment)
      try chain.link(to: receipt, observedAt: observedAt, db)
      try chain.end(with: receipt, observedAt: observedAt, db)
      let isHeldAnew = db.totalChangesCount > before
      let hasNewTerms = try part.terms.reduce(false) {
        try StoredRenewalTerms(db: db).keep($1, of: chain) || $0
      }
      let log = chain.log
      let shown = Shown(
        at: observedAt, isPartial: isPartial, isSigned: isSigned, lagging: answer.lagging, log: log)
      let merged = try merge(part.rows, shown, into: chain)
      ledger.count(newTransactions: merged.new)
      news.newTransactions += merged.new
      let isNewRenewal = try merge(part.infos ?? [], into: chain, log: log, observedAt: observedAt)
      hasNews = hasNews || isHeldAnew || merged.hasNews || isNewRenewal || hasNewTerms
      try chain.validate(
        at: observedAt, withRenewals: part.infos != nil, isPartial: isPartial, isSigned: isSigned,
        by: receipt, log: log, db)
      if isLast { news += try derivation.derive(chain) }
    }
    return hasNews || news.newTransactions != 0 ? news : nil
  }

  private var derivation: Derivation { Derivation(db: db, catalog: catalog, ledger: ledger) }

  /// Date and kind of an answer, with the chain's validation log before the answer.
  private struct Shown {
    var at: Instant
    var isPartial: Bool
    var isSigned: Bool
    var lagging: Set<TransactionID>
    var log: ValidationLog

    var logAfter: ValidationLog {
      var after = log
      if isSigned {
        after.insert(signed: at)
      } else {
        after.insert(at, hasRenewals: false, isPartial: isPartial)
      }
      return after
    }

    func ends(_ row: Transaction) -> ObservedTerms {
      ObservedTerms(ends: row.ends, isLagging: lagging.contains(row.transactionID))
    }
  }

  private func merge(
    _ rows: [Transaction], _ shown: Shown, into chain: ChainRecord
  ) throws -> (new: Int, hasNews: Bool) {
    let after = shown.logAfter
    var remaining = Dictionary(rows.map { ($0.transactionID, $0) }, uniquingKeysWith: { first, _ in first })
    let histories = StoredHistories(try StoredRun.fetch(ChainPage([chain]), db)[0], log: shown.log)
    var (count, hasNews) = (0, false)
    for stored in try StoredTransaction.fetch(chain: chain, ledger.shapes, db) {
      let row = remaining.removeValue(forKey: stored.transaction.transactionID)
      let old = histories.sightings(of: stored)
      var sightings = old
      sightings.take(row.map(shown.ends), at: shown.at, isPartial: shown.isPartial, log: shown.log)
      var new = stored
      if let row { new.transaction = row.filled(from: stored.transaction) }
      new.show(sightings, after)
      hasNews =
        hasNews || !new.transaction.isEquivalent(to: stored.transaction) || new.sighting != stored.sighting
        || sightings.knownEnds(after).map(\.start) != old.knownEnds(shown.log).map(\.start)
      if new != stored { try new.update(replacing: stored, ledger, db) }
      try histories.write(sightings, of: stored.rowID, after, db)
    }
    for row in rows where remaining.removeValue(forKey: row.transactionID) != nil {
      var sightings = TransactionObservations()
      sightings.take(shown.ends(row), at: shown.at, isPartial: shown.isPartial, log: shown.log)
      var stored = StoredTransaction(row, of: chain)
      stored.show(sightings, after)
      try stored.insert(ledger, db)
      try histories.write(sightings, of: stored.rowID, after, db)
      count += 1
    }
    return (count, hasNews || count > 0)
  }

  /// Merges the renewal infos of one answer as a set, because they belong together.
  private func merge(
    _ infos: [RenewalInfo], into chain: ChainRecord, log: ValidationLog, observedAt: Instant
  ) throws -> Bool {
    guard !infos.isEmpty else { return false }
    let stored = try StoredRenewal.fetch(ChainPage([chain]), db)[0].map(\.observation)
    let old = RenewalHistory(stored, last: log.withRenewals.last)
    var new = old
    new.take(Set(infos), at: observedAt, validations: log.withRenewals) { $0.union($1) }
    guard new != old else { return false }
    return try StoredRenewal.write(new, replacing: stored, of: chain, db)
  }
}

extension StoredTransaction {
  /// Sets the values that follow from all observations of the transaction, such as its end dates.
  fileprivate mutating func show(_ sightings: TransactionObservations, _ log: ValidationLog) {
    let (known, newest, last) = (sightings.knownEnds(log), sightings.full.runs.last, log.last ?? .distantPast)
    if let present = known.last { transaction.ends = present.ends }
    sighting = Sighting(first: known.first?.from ?? last, latest: known.last?.from ?? last)
    isLagging = (newest ?? sightings.partial.runs.last)?.value.isLagging ?? false
    confirmedAt = newest?.through == log.full.last ? nil : newest?.through
  }
}

extension Transaction {
  /// Returns whether the transactions are equal except for signing dates, which every new answer changes.
  fileprivate func isEquivalent(to other: Transaction) -> Bool {
    guard let mine = self.terms, let theirs = other.terms, mine.isEquivalent(to: theirs) else {
      return self == other
    }
    var same = self
    same.terms = theirs
    return same == other
  }
}

extension EndsObservation {
  /// Observation at its first instant, for comparisons: a later observation of the same ends is no change.
  fileprivate var start: EndsObservation { EndsObservation(ends: ends, from: from, through: from) }
}

struct AnswerPart: Sendable {
  var original: OriginalTransactionID
  var rows: [Transaction]
  var infos: [RenewalInfo]?
  var terms: [RenewalTerms]
}

extension Answer {
  /// Content of the answer by chain, sorted so that chains are always written in the same order.
  var parts: [AnswerPart] {
    let rows = Dictionary(grouping: transactions, by: \.originalTransactionID)
    let infos = renewalInfosByChain
    let terms = Dictionary(grouping: renewalTerms, by: \.originalTransactionID)
    return Set(rows.keys).union(infos.keys).sorted().map {
      AnswerPart(original: $0, rows: rows[$0] ?? [], infos: infos[$0], terms: terms[$0] ?? [])
    }
  }

  /// Renewal infos by chain; infos without `original_transaction_id` (sent in 2017) are assigned by product.
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
