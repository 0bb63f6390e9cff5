import GRDB
import Subscriptions

/// What the tables hold of a chain.
struct ChainEvidence: Sendable {
  var record: ChainRecord
  var transactions: [StoredTransaction]
  var renewals: [StoredRenewal]
  /// What answers showed of transactions that changed.
  var runs: StoredHistories.StoredRuns
  var notifications: [ServerNotification]
  var renewalTerms: [RenewalTerms]
  var holders: ChainHolders

  /// Read when it is used, which is on another thread where several derive.
  var log: ValidationLog { record.log }

  /// - Parameter knownAt: what was seen later may be left out, and so is what was derived; nil is everything.
  static func fetch(
    _ page: ChainPage, knownAt: Instant? = nil, _ shapes: Shapes, _ db: Database
  ) throws -> [ChainEvidence] {
    let transactions = try StoredTransaction.fetch(page, knownAt: knownAt, shapes, db)
    let renewals = try StoredRenewal.fetch(page, db)
    let runs = try StoredHistories.fetch(page, db)
    let notifications = try NotificationRecord.fetch(page, db)
    let terms = try StoredRenewalTerms(db: db).fetch(page)
    let holders = try ChainHolders.fetch(page, db)
    return page.records.indices.map { place in
      ChainEvidence(
        record: page.records[place], transactions: transactions[place], renewals: renewals[place],
        runs: runs[place],
        notifications: notifications[place], renewalTerms: terms[place],
        holders: holders[place])
    }
  }
}
