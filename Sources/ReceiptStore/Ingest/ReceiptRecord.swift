import GRDB
import Subscriptions

/// What the store keeps about a receipt apart from its content.
struct ReceiptRecord {
  var id: ReceiptID
  var bundleID: BundleID?
  var lastValidatedAt: Instant?
  var digest: String?
  var user: AppUserID?
  /// Of the last answer of the other kind, full or partial, where the two say the same; and when that was.
  var other: (digest: String, at: Instant)?

  private static let columns = """
    q.id, q.bundle_id, q.last_validated_at_ms, q.answer_digest, q.app_user_id, q.other_digest, q.other_validated_at_ms
    """

  private init(_ row: FetchedRow) {
    id = row[0]
    bundleID = row[1]
    lastValidatedAt = row[2]
    digest = row[3]
    let name: AppUserID = row[4]
    user = name.rawValue.isEmpty ? nil : name
    if let digest = row[5] as String?, let at = row[6] as Instant? { other = (digest, at) }
  }

  static func fetch(_ id: ReceiptID, _ db: Database) throws -> ReceiptRecord? {
    let statement = try db.cachedStatement(sql: "SELECT \(columns) FROM receipts q WHERE q.id = ?")
    return try FetchedRow.fetchOne(statement, arguments: [id]).map(ReceiptRecord.init)
  }

  /// The receipt that an answer without one belongs to: the user's that holds one of its chains, else a new one.
  static func find(for imported: ImportedAnswer, at now: Instant, _ db: Database) throws -> ReceiptRecord {
    let user = imported.appUserID?.rawValue ?? ""
    let holder = try db.cachedStatement(
      sql: """
        SELECT \(columns) FROM chains c
          JOIN receipt_chains k ON k.chain_id = c.id
          JOIN receipts q ON q.id = k.receipt_id
        WHERE c.original_transaction_id = ? AND c.environment = ? AND (? = '' OR q.app_user_id IN (?, ''))
        ORDER BY q.app_user_id = ? DESC, q.id LIMIT 1
        """)
    for original in Set(imported.answer.transactions.map(\.originalTransactionID)).sorted() {
      let arguments: StatementArguments = [original, imported.answer.environment.rawValue, user, user, user]
      guard let row = try FetchedRow.fetchOne(holder, arguments: arguments) else { continue }
      let record = ReceiptRecord(row)
      try adopt(user, record, db)
      return record
    }
    return try insert(imported, user: user, at: now, db)
  }

  private static func adopt(_ user: String, _ record: ReceiptRecord, _ db: Database) throws {
    guard !user.isEmpty else { return }
    try db.cachedStatement(sql: "UPDATE receipts SET app_user_id = ? WHERE id = ? AND app_user_id = ''")
      .execute(arguments: [user, record.id])
  }

  /// Without `latest_receipt` there is nothing to send, so such a receipt never comes due.
  private static func insert(
    _ imported: ImportedAnswer, user: String, at now: Instant, _ db: Database
  ) throws
    -> ReceiptRecord
  {
    let data = imported.answer.latestReceipt
    let fingerprint = data?.fingerprint.hexadecimal ?? imported.answer.fingerprint
    let insert = try db.cachedStatement(
      sql: """
        INSERT OR IGNORE INTO receipts (fingerprint, app_user_id, bundle_id, imported_at_ms) VALUES (?, ?, ?, ?)
        """)
    try insert.execute(arguments: [fingerprint, user, imported.answer.bundleID, now])
    if db.changesCount > 0, let data {
      try ReceiptContents.write(data, of: ReceiptID(rawValue: db.lastInsertedRowID), db)
    }
    let find = try db.cachedStatement(
      sql: "SELECT \(columns) FROM receipts q WHERE q.fingerprint = ? AND q.app_user_id = ?")
    guard let row = try FetchedRow.fetchOne(find, arguments: [fingerprint, user]) else {
      throw StoreError("a receipt that was just added is not there")
    }
    return ReceiptRecord(row)
  }
}

extension Answer {
  /// Tells answers without a receipt and without chains apart: two apps' empty answers say the same.
  fileprivate var fingerprint: String {
    "\(digest.hexadecimal) \(environment.rawValue) \(bundleID?.rawValue ?? "")"
  }
}
