import GRDB
import Subscriptions

/// The receipt as it was imported. It stays for good: nothing that comes over the wire is written here.
enum StoredContents {
  /// Keeps a receipt's contents, where none are kept yet.
  static func keep(_ data: ReceiptData, of receipt: ReceiptID, _ db: Database) throws {
    let insert = try db.cachedStatement(
      sql: "INSERT OR IGNORE INTO receipt_contents (receipt_id, receipt_data) VALUES (?, ?)")
    try insert.execute(arguments: [receipt, data.base64])
    try flag(receipt, db)
  }

  /// Whether there is nothing of a receipt to send.
  static func isMissing(of receipt: ReceiptID, _ db: Database) throws -> Bool {
    let statement = try db.cachedStatement(sql: "SELECT 1 FROM receipt_contents WHERE receipt_id = ?")
    return try Int.fetchOne(statement, arguments: [receipt]) == nil
  }

  /// Writes the contents of a receipt that is imported once more, where they are missing or not what they were: it is then
  /// asked about like a new one, and what Apple sent in the place of what was wrong goes.
  ///
  /// - Parameter fingerprint: by which the receipts are known, one for each of its users.
  /// - Returns: how many were mended.
  static func mend(
    _ data: ReceiptData, _ fingerprint: String, at now: Instant, _ db: Database
  ) throws -> Int {
    let statement = try db.cachedStatement(
      sql: """
        SELECT q.id FROM receipts q LEFT JOIN receipt_contents c ON c.receipt_id = q.id
        WHERE q.fingerprint = ? AND c.receipt_data IS NOT ?
        """)
    let broken = try ReceiptID.fetchAll(statement, arguments: [fingerprint, data.base64])
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

  /// A receipt that is imported once more for another app is of that one, unless an answer has told its app: it is asked about like a
  /// new one.
  ///
  /// - Returns: how many there were.
  static func name(_ app: BundleID, of fingerprint: String, at now: Instant, _ db: Database) throws -> Int {
    let correct = try db.cachedStatement(
      sql: """
        UPDATE receipts SET \(likeNew), bundle_id = ?
        WHERE fingerprint = ? AND last_validated_at_ms IS NULL AND bundle_id IS NOT ?
        """)
    try correct.execute(arguments: [now, app, fingerprint, app])
    return db.changesCount
  }

  /// Takes the instant.
  static let likeNew = """
    dead_reason = NULL, dead_at_ms = NULL, attempts = 0, last_failure = NULL, failing_since_ms = NULL,
    same_failure_since_ms = NULL, next_due_at_ms = ?, due_rule = 'new'
    """

  static func flag(_ receipt: ReceiptID, _ db: Database) throws {
    let flag = try db.cachedStatement(
      sql: "UPDATE receipts SET has_contents = 1 WHERE id = ? AND NOT has_contents")
    try flag.execute(arguments: [receipt])
  }
}

/// A newer receipt of the same customer, as Apple sent it back. It is sent instead of the imported one, which stays.
enum LatestReceipt {
  static func write(_ data: ReceiptData, of receipt: ReceiptID, at now: Instant, _ db: Database) throws {
    let upsert = try db.cachedStatement(
      sql: """
        INSERT INTO latest_receipts (receipt_id, receipt_data, received_at_ms) VALUES (?, ?, ?)
        ON CONFLICT DO UPDATE SET receipt_data = excluded.receipt_data, received_at_ms = excluded.received_at_ms
        WHERE receipt_data <> excluded.receipt_data
        """)
    try upsert.execute(arguments: [receipt, data.base64, now])
  }

  static func drop(of receipt: ReceiptID, _ db: Database) throws {
    try db.cachedStatement(sql: "DELETE FROM latest_receipts WHERE receipt_id = ?")
      .execute(arguments: [receipt])
  }
}
