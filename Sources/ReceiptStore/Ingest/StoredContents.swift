import GRDB
import Subscriptions

/// Imported contents of receipts, which newer receipts from Apple do not replace (`LatestReceipt`).
enum StoredContents {
  static func keep(_ data: ReceiptData, of receipt: ReceiptID, _ db: Database) throws {
    let insert = try db.cachedStatement(
      sql: "INSERT OR IGNORE INTO receipt_contents (receipt_id, receipt_data) VALUES (?, ?)")
    try insert.execute(arguments: [receipt, data.base64])
    try flag(receipt, db)
  }

  static func isMissing(of receipt: ReceiptID, _ db: Database) throws -> Bool {
    return try Int.first(db, "SELECT 1 FROM receipt_contents WHERE receipt_id = ?", [receipt]) == nil
  }

  /// Replaces missing or different contents of a receipt that is imported again, and makes the receipt due;
  /// returns the number of changed rows, one for each user of the receipt.
  static func mend(
    _ data: ReceiptData, _ fingerprint: String, at now: Instant, _ db: Database
  ) throws -> Int {
    let broken = try ReceiptID.all(
      db,
      """
      SELECT q.id FROM receipts q LEFT JOIN receipt_contents c ON c.receipt_id = q.id
      WHERE q.fingerprint = ? AND c.receipt_data IS NOT ?
      """, [fingerprint, data.base64])
    for receipt in broken {
      try db.cachedStatement(sql: "DELETE FROM receipt_contents WHERE receipt_id = ?")
        .execute(arguments: [receipt])
      try keep(data, of: receipt, db)
      try LatestReceipt.drop(of: receipt, db)
      try db.cachedStatement(sql: "UPDATE receipts SET \(likeNew) WHERE id = ?")
        .execute(arguments: [now, receipt])
    }
    return broken.count
  }

  /// Changes the app of unvalidated receipts with a fingerprint, makes them due, and returns their number.
  static func name(_ app: BundleID, of fingerprint: String, at now: Instant, _ db: Database) throws -> Int {
    try db.run(
      """
      UPDATE receipts SET \(likeNew), bundle_id = ?
      WHERE fingerprint = ? AND last_validated_at_ms IS NULL AND bundle_id IS NOT ?
      """, [now, app, fingerprint, app])
    return db.changesCount
  }

  /// SQL assignments that reset the failures of a receipt and make it due; the argument is the due instant.
  static let likeNew = """
    dead_reason = NULL, dead_at_ms = NULL, attempts = 0, last_failure = NULL, failing_since_ms = NULL,
    same_failure_since_ms = NULL, next_due_at_ms = ?, due_rule = 'new'
    """

  static func flag(_ receipt: ReceiptID, _ db: Database) throws {
    try db.run("UPDATE receipts SET has_contents = 1 WHERE id = ? AND NOT has_contents", [receipt])
  }
}

/// Newer receipt of the same customer, returned by Apple.
///
/// It is sent first. If it is refused, the imported receipt is sent.
enum LatestReceipt {
  static func write(_ data: ReceiptData, of receipt: ReceiptID, at now: Instant, _ db: Database) throws {
    try db.run(
      """
      INSERT INTO latest_receipts (receipt_id, receipt_data, received_at_ms) VALUES (?, ?, ?)
      ON CONFLICT DO UPDATE SET receipt_data = excluded.receipt_data, received_at_ms = excluded.received_at_ms
      WHERE receipt_data <> excluded.receipt_data
      """, [receipt, data.base64, now])
  }

  static func drop(of receipt: ReceiptID, _ db: Database) throws {
    try db.cachedStatement(sql: "DELETE FROM latest_receipts WHERE receipt_id = ?")
      .execute(arguments: [receipt])
  }
}
