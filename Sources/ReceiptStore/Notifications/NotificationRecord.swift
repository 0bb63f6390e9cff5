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
          auto_renew_status_change_date_ms, cancellation_date_ms, observed_at_ms, subtype, uuid IS NOT NULL,
          send_attempts
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
      facts.subtype = row[8]
      facts.isSigned = row[9]
      facts.sendAttempts = (row[10] as String?).map(SendAttempt.attempts) ?? []
      return facts
    }
  }

  static func isKept(_ digest: UInt128, _ db: Database) throws -> Bool {
    let statement = try db.cachedStatement(sql: "SELECT 1 FROM notifications WHERE digest = ?")
    return try Int.fetchOne(statement, arguments: [digest.hexadecimal]) != nil
  }

  static func insert(
    _ notification: ImportedNotification, chain: ChainRecord, observedAt: Instant, _ db: Database
  ) throws {
    let facts = notification.facts
    let statement = try db.cachedStatement(
      sql: """
        INSERT INTO notifications (digest, chain_id, type, transaction_id, product_id, auto_renew_product_id,
          auto_renew_status, auto_renew_status_change_date_ms, cancellation_date_ms, observed_at_ms, environment,
          bundle_id)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """)
    try statement.execute(arguments: [
      notification.digest.hexadecimal, chain.id, facts.type.rawValue, facts.transactionID, facts.productID,
      facts.autoRenewProductID, facts.autoRenewStatus, facts.autoRenewStatusChangeDate,
      facts.cancellationDate, observedAt, facts.environment.rawValue, notification.answer.bundleID,
    ])
  }

  /// - Parameter chain: nil where it speaks of none.
  static func insert(_ notification: SignedNotification, chain: ChainRecord?, _ db: Database) throws {
    let statement = try db.cachedStatement(
      sql: """
        INSERT INTO notifications (digest, chain_id, type, subtype, transaction_id, product_id, auto_renew_product_id,
          auto_renew_status, cancellation_date_ms, observed_at_ms, uuid, signed_at_ms, environment, bundle_id)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """)
    let facts = notification.facts
    try statement.execute(arguments: [
      notification.digest.hexadecimal, chain?.id, notification.type.rawValue, notification.subtype,
      facts?.transactionID, facts?.productID, facts?.autoRenewProductID, facts?.autoRenewStatus,
      facts?.cancellationDate, facts?.observedAt ?? notification.signedAt, notification.uuid,
      notification.signedAt, notification.environment.rawValue, notification.bundleID,
    ])
  }
}
