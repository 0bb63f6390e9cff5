import GRDB
import Subscriptions

struct ReceiptRecord {
  var id: ReceiptID
  var bundleID: BundleID?
  var lastValidatedAt: Instant?
  var digest: String?
  var user: AppUserID?
  /// Whether a subscription service, not the app, made the user id; the app's own id replaces it.
  private(set) var isUserProvisional = false
  /// Whether the receipt was inserted for the current answer, so that no other row refers to it yet.
  private(set) var isNew = false
  /// Whether the receipt has data to send and is not dead.
  private(set) var isAskable = false

  private static let columns = """
    q.id, q.bundle_id, q.last_validated_at_ms, q.answer_digest, q.app_user_id, q.user_is_provisional,
    q.has_contents AND q.dead_reason IS NULL
    """

  private init(new id: ReceiptID, bundleID: BundleID?, user: AppUserID?) {
    (self.id, self.bundleID, self.user, isNew) = (id, bundleID, user, true)
  }

  private init(_ row: BoundStatement.Columns) throws {
    id = try row.read(0)
    bundleID = try row.read(1)
    lastValidatedAt = try row.read(2)
    digest = try row.read(3)
    let name: AppUserID = try row.read(4)
    user = name.rawValue.isEmpty ? nil : name
    (isUserProvisional, isAskable) = (try row.read(5), try row.read(6))
  }

  static func fetch(_ id: ReceiptID, _ db: Database) throws -> ReceiptRecord? {
    try db.rows("SELECT \(columns) FROM receipts q WHERE q.id = ?", [id], ReceiptRecord.init).first
  }

  /// Returns the receipt that has a chain or the fingerprint of the answer; inserts one if there is none.
  ///
  /// If the answer has a user, the receipt has the same user or none.
  static func find(
    for imported: ImportedAnswer, contents: ReceiptData?, at now: Instant, _ db: Database
  ) throws -> ReceiptRecord {
    let fingerprint = imported.fingerprint
    guard let known = try existing(for: imported, fingerprint, db) else {
      return try insert(imported, fingerprint, contents: contents, at: now, db)
    }
    return known
  }

  static func existing(
    for imported: ImportedAnswer, _ fingerprint: String, by chains: [OriginalTransactionID]? = nil,
    _ db: Database
  ) throws -> ReceiptRecord? {
    let user = imported.user?.rawValue ?? ""
    let holder = """
      SELECT \(columns) FROM chains c
        JOIN receipt_chains k ON k.chain_id = c.id
        JOIN receipts q ON q.id = k.receipt_id
      WHERE c.original_transaction_id = ? AND c.environment = ? AND (? = '' OR q.app_user_id IN (?, ''))
      ORDER BY q.app_user_id = ? DESC, q.id LIMIT 1
      """
    for original in chains ?? imported.answer.namedChains.sorted() {
      let arguments: StatementArguments = [original, imported.answer.environment.rawValue, user, user, user]
      if let record = try db.rows(holder, arguments, ReceiptRecord.init).first { return record }
    }
    return try db.rows(
      """
      SELECT \(columns) FROM receipts q WHERE q.fingerprint = ?1 AND (?2 = '' OR q.app_user_id IN (?2, ''))
      ORDER BY q.app_user_id = ?2 DESC, q.id LIMIT 1
      """, [fingerprint, user], ReceiptRecord.init
    ).first
  }

  /// Sets the user of a receipt that has no user or a provisional user, and derives its chains.
  ///
  /// - Returns: The receipt of the user, which may be another row with the same fingerprint.
  func adopted(
    by user: AppUserID?, isProvisional: Bool = false, _ derivation: Derivation
  ) throws -> ReceiptRecord {
    guard let user, self.user == nil || (isUserProvisional && !isProvisional), self.user != user else {
      return self
    }
    let db = derivation.db
    if let record = try db.rows(
      """
      SELECT \(Self.columns) FROM receipts o JOIN receipts q ON q.fingerprint = o.fingerprint
      WHERE o.id = ? AND q.app_user_id = ?
      """, [id, user], ReceiptRecord.init
    ).first {
      return record
    }
    try db.cachedStatement(
      sql: "UPDATE receipts SET app_user_id = ?, user_is_provisional = ? WHERE id = ?"
    ).execute(arguments: [user, isProvisional, id])
    try derivation.deriveChains(of: id)
    return try Self.fetch(id, db) ?? self
  }

  static func insert(
    _ imported: ImportedAnswer, _ fingerprint: String, contents: ReceiptData?, at now: Instant, _ db: Database
  ) throws -> ReceiptRecord {
    let bundle = imported.answer.bundleID
    try db.run(
      """
      INSERT INTO receipts (fingerprint, app_user_id, bundle_id, imported_at_ms) VALUES (?, ?, ?, ?)
      """, [fingerprint, imported.user?.rawValue ?? "", bundle, now])
    let id = ReceiptID(rawValue: db.lastInsertedRowID)
    if let contents { try StoredContents.keep(contents, of: id, db) }
    return ReceiptRecord(new: id, bundleID: bundle, user: imported.user)
  }
}

extension ImportedAnswer {
  var user: AppUserID? { appUserID.flatMap { $0.rawValue.isEmpty ? nil : $0 } }

  /// Fingerprint of the receipt in the answer, or of the answer itself if it contains no receipt.
  var fingerprint: String { answer.latestReceipt?.fingerprint.hexadecimal ?? answer.fingerprint }
}

extension Answer {
  /// Digest with environment and app, because empty answers of two apps have the same digest.
  fileprivate var fingerprint: String {
    "\(digest.hexadecimal) \(environment.rawValue) \(bundleID?.rawValue ?? "")"
  }
}
