import GRDB
import Subscriptions

/// What goes to Apple, in a table of its own: it is large, and everything else about a receipt changes often.
enum ReceiptContents {
  /// Keeps what is to be sent next time, where it is not what was sent the last time.
  static func write(_ data: ReceiptData, of receipt: ReceiptID, _ db: Database) throws {
    let upsert = try db.cachedStatement(
      sql: """
        INSERT INTO receipt_contents (receipt_id, receipt_data) VALUES (?, ?)
        ON CONFLICT DO UPDATE SET receipt_data = excluded.receipt_data WHERE receipt_data <> excluded.receipt_data
        """)
    try upsert.execute(arguments: [receipt, data.base64])
    let flag = try db.cachedStatement(
      sql: "UPDATE receipts SET has_contents = 1 WHERE id = ? AND NOT has_contents")
    try flag.execute(arguments: [receipt])
  }
}
