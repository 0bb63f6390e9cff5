import GRDB
import Subscriptions

enum NotificationRecord {
  static func fetch(_ page: ChainPage, _ db: Database) throws -> [[ServerNotification]] {
    try page.rows(
      """
      SELECT chain_id, type, transaction_id, product_id, auto_renew_product_id, auto_renew_status,
        auto_renew_status_change_date_ms, cancellation_date_ms, observed_at_ms, subtype, uuid IS NOT NULL,
        send_attempts
      FROM notifications WHERE chain_id BETWEEN ? AND ? ORDER BY chain_id, observed_at_ms, digest
      """, db
    ) { chain, row in
      var facts = ServerNotification(
        type: NotificationType(row.text(1) ?? ""), environment: chain.environment,
        originalTransactionID: chain.original, observedAt: row.instant(8) ?? .distantPast)
      facts.transactionID = row.text(2)
      facts.productID = row.text(3)
      facts.autoRenewProductID = row.text(4)
      facts.autoRenewStatus = row.flag(5)
      facts.autoRenewStatusChangeDate = row.instant(6)
      facts.cancellationDate = row.instant(7)
      facts.subtype = row.text(9)
      facts.isSigned = row[10] != 0
      facts.sendAttempts = (row.text(11) as String?).map(SendAttempt.attempts) ?? []
      return facts
    }
  }

  static func isKept(_ digest: UInt128, _ db: Database) throws -> Bool {
    return try Int.first(db, "SELECT 1 FROM notifications WHERE digest = ?", [digest.hexadecimal]) != nil
  }

  /// - Parameters:
  ///   - facts: `nil` if the notification does not concern a chain.
  ///   - signed: `nil` for version 1.
  static func insert(
    _ digest: UInt128, _ type: NotificationType, _ facts: ServerNotification?,
    signed: SignedNotification? = nil, of app: BundleID?, in environment: StoreEnvironment, chain: Int64?,
    observedAt: Instant, _ db: Database
  ) throws {
    try db.run(
      """
      INSERT INTO notifications (digest, chain_id, type, subtype, transaction_id, product_id, auto_renew_product_id,
        auto_renew_status, auto_renew_status_change_date_ms, cancellation_date_ms, observed_at_ms, uuid, signed_at_ms,
        environment, bundle_id)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        digest.hexadecimal, chain, type.rawValue, signed?.subtype, facts?.transactionID, facts?.productID,
        facts?.autoRenewProductID, facts?.autoRenewStatus, facts?.autoRenewStatusChangeDate,
        facts?.cancellationDate, observedAt, signed?.uuid, signed?.signedAt, environment.rawValue, app,
      ])
  }
}
