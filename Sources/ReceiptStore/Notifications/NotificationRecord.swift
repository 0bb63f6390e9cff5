import GRDB
import Subscriptions

/// The table of what notifications told.
enum NotificationRecord {
  /// What was told of a chain by an instant, oldest first.
  static func fetch(
    chain: ChainRecord, knownAt: Instant = .distantFuture, _ db: Database
  ) throws -> [ServerNotification] {
    let statement = try db.cachedStatement(
      sql: """
        SELECT type, transaction_id, product_id, auto_renew_product_id, auto_renew_status,
          auto_renew_status_change_date_ms, cancellation_date_ms, observed_at_ms
        FROM notifications WHERE chain_id = ? AND observed_at_ms <= ? ORDER BY observed_at_ms, digest
        """)
    return try FetchedRow.fetchAll(statement, arguments: [chain.id, knownAt]).map { row in
      var facts = ServerNotification(
        type: NotificationType(row[0] as String), environment: chain.environment,
        originalTransactionID: chain.original,
        observedAt: row[7])
      facts.transactionID = row[1]
      facts.productID = row[2]
      facts.autoRenewProductID = row[3]
      facts.autoRenewStatus = row[4]
      facts.autoRenewStatusChangeDate = row[5]
      facts.cancellationDate = row[6]
      return facts
    }
  }

  static func isKept(_ notification: ImportedNotification, _ db: Database) throws -> Bool {
    let statement = try db.cachedStatement(sql: "SELECT 1 FROM notifications WHERE digest = ?")
    return try Int.fetchOne(statement, arguments: [notification.digest.hexadecimal]) != nil
  }

  static func insert(
    _ notification: ImportedNotification, chain: ChainRecord, observedAt: Instant, _ db: Database
  ) throws {
    let facts = notification.facts
    let statement = try db.cachedStatement(
      sql: """
        INSERT INTO notifications (digest, chain_id, type, transaction_id, product_id, auto_renew_product_id,
          auto_renew_status, auto_renew_status_change_date_ms, cancellation_date_ms, observed_at_ms)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """)
    try statement.execute(arguments: [
      notification.digest.hexadecimal, chain.id, facts.type.rawValue, facts.transactionID, facts.productID,
      facts.autoRenewProductID, facts.autoRenewStatus, facts.autoRenewStatusChangeDate,
      facts.cancellationDate, observedAt,
    ])
  }
}
