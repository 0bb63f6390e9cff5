import GRDB
import Subscriptions

/// What the store and the notifications of one import know of their chains, to tell a body that is older than that: it does
/// not say when it was sent.
struct KnownChains {
  private struct Key: Hashable {
    var environment: StoreEnvironment
    var original: OriginalTransactionID
  }

  private struct Known {
    var rows: [TransactionID: Transaction] = [:]
    var newestPurchase = Instant.distantPast
    /// The last switch of auto-renew that a notification dated.
    var lastSwitch = Instant.distantPast
    /// The newest renewal infos, and the last validation that showed them.
    var infos: [RenewalInfo] = []
    var infosThrough: Instant?

    mutating func add(_ row: Transaction) {
      newestPurchase = max(newestPurchase, row.purchaseDate)
      var sum = rows[row.transactionID] ?? row
      sum.cancellationDate = sum.cancellationDate ?? row.cancellationDate
      sum.isUpgraded = sum.isUpgraded || row.isUpgraded
      sum.expiresDate = [sum.expiresDate, row.expiresDate].compactMap(\.self).max()
      rows[row.transactionID] = sum
    }
  }

  private var chains: [Key: Known] = [:]

  init(_ notifications: [ImportedNotification], _ db: Database) throws {
    for notification in notifications {
      let environment = notification.facts.environment
      for original in notification.originals {
        let key = Key(environment: environment, original: original)
        var known = try chains[key] ?? Self.stored(key, db)
        for row in notification.answer.transactions where row.originalTransactionID == original {
          known.add(row)
        }
        if original == notification.facts.originalTransactionID,
          let date = notification.facts.autoRenewStatusChangeDate
        {
          known.lastSwitch = max(known.lastSwitch, date)
        }
        chains[key] = known
      }
    }
  }

  private static func stored(_ key: Key, _ db: Database) throws -> Known {
    var known = Known()
    guard let chain = try ChainRecord.existing(key.original, in: key.environment, db) else { return known }
    for stored in try StoredTransaction.fetch(chain: chain, db) { known.add(stored.transaction) }
    let renewals = try StoredRenewal.fetch(chain: chain, db).map(\.observation)
    known.infos = renewals.filter { $0.observedAt == renewals.last?.observedAt }.map(\.info)
    known.infosThrough = chain.renewalsObservedAt
    known.lastSwitch =
      try NotificationRecord.fetch(chain: chain, db).compactMap(\.autoRenewStatusChangeDate).max()
      ?? .distantPast
    return known
  }

  /// Whether a body was sent before something that is known: it lacks a later purchase, an end that a period has, or a
  /// later switch of auto-renew.
  func outdate(_ notification: ImportedNotification) -> Bool {
    notification.originals.contains { original in
      let key = Key(environment: notification.facts.environment, original: original)
      guard let known = chains[key] else { return false }
      let rows = notification.answer.transactions.filter { $0.originalTransactionID == original }
      return isOutdated(rows, by: known)
        || (original == notification.facts.originalTransactionID
          && isOutdated(notification.facts, newest: rows.max(by: Transaction.inOrder), by: known))
    }
  }

  private func isOutdated(_ rows: [Transaction], by known: Known) -> Bool {
    guard let newest = rows.map(\.purchaseDate).max() else { return false }
    return newest < known.newestPurchase
      || rows.contains { row in
        guard let other = known.rows[row.transactionID] else { return false }
        return (row.cancellationDate == nil && other.cancellationDate != nil)
          || (!row.isUpgraded && other.isUpgraded)
          || (row.expiresDate ?? .distantPast) < (other.expiresDate ?? .distantPast)
      }
  }

  /// What Apple said of the renewal after the switch that the body tells of is younger, if it says otherwise.
  private func isOutdated(_ facts: ServerNotification, newest: Transaction?, by known: Known) -> Bool {
    guard let date = facts.autoRenewStatusChangeDate else { return false }
    if date < known.lastSwitch { return true }
    guard let through = known.infosThrough, date < through, let told = facts.autoRenewStatus else {
      return false
    }
    let info = known.infos.last { $0.productID == newest?.productID } ?? known.infos.last
    return info?.autoRenewStatus == !told
  }
}

extension ImportedNotification {
  /// The chains that it speaks of.
  fileprivate var originals: Set<OriginalTransactionID> {
    Set(answer.transactions.map(\.originalTransactionID)).union([facts.originalTransactionID])
  }
}
