import GRDB
import Subscriptions

/// The table of what notifications told.
enum NotificationRecord {
  /// What was told of a chain, oldest first.
  static func fetch(chain: ChainRecord, _ db: Database) throws -> [ServerNotification] {
    var chains = [ChainEvidence(record: chain)]
    try fetch(into: &chains, db)
    return chains[0].notifications
  }

  /// The same of chains that follow each other.
  static func fetch(into chains: inout [ChainEvidence], _ db: Database) throws {
    var statement = try BoundStatement(
      """
      SELECT chain_id, type, transaction_id, product_id, auto_renew_product_id, auto_renew_status,
        auto_renew_status_change_date_ms, cancellation_date_ms, observed_at_ms, subtype, uuid IS NOT NULL,
        send_attempts
      FROM notifications WHERE chain_id BETWEEN ? AND ? ORDER BY chain_id, observed_at_ms, digest
      """, db)
    var places = ChainPlaces(chains, &statement)
    try statement.forEach { row in
      guard let place = places.place(of: row[0]) else { return }
      let chain = chains[place].record
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
      chains[place].notifications.append(facts)
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
