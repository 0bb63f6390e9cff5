import GRDB
import Subscriptions

/// Numbers of receipts and customers that an import added or changed.
public struct ReceiptImportSummary: Hashable, Sendable {
  public var new = 0
  /// Known receipts whose missing or different contents an import replaced; they are due at once.
  public var mended = 0
  /// Receipts that the store had under another app or none, and ids under another app; they are due at once.
  public var moved = 0
  /// Ids that were imported for an app that turned out to be wrong; they are marked as dead.
  public var givenUp = 0

  package init(new: Int = 0, mended: Int = 0, moved: Int = 0, givenUp: Int = 0) {
    (self.new, self.mended, self.moved, self.givenUp) = (new, mended, moved, givenUp)
  }

  static func += (summary: inout Self, other: Self) {
    summary.new += other.new
    summary.mended += other.mended
    summary.moved += other.moved
    summary.givenUp += other.givenUp
  }
}

/// Data of customers for requests to the Server API.
enum StoredCustomer {
  static func keep(_ id: CustomerID, of receipt: ReceiptID, _ db: Database) throws {
    try db.run(
      """
      INSERT INTO customers (receipt_id, customer_id) VALUES (?, ?)
      ON CONFLICT DO UPDATE SET customer_id = excluded.customer_id WHERE customer_id IS NULL
      """, [receipt, id])
    try StoredContents.flag(receipt, db)
  }

  /// Stores the revision for the next request, which is valid only in the environment of its answer.
  static func keep(
    revision: String?, of receipt: ReceiptID, in environment: StoreEnvironment, _ db: Database
  ) throws {
    try db.run(
      """
      INSERT INTO customers (receipt_id, revision, environment) VALUES (?, ?, ?)
      ON CONFLICT DO UPDATE SET revision = excluded.revision, environment = excluded.environment
      WHERE revision IS NOT excluded.revision OR environment IS NOT excluded.environment
      """, [receipt, revision, environment.rawValue])
  }

  /// Sets the app of an id that was imported without an app, and makes the id due, unless it is dead.
  static func name(
    _ app: BundleID, of id: CustomerID, _ fingerprint: String, at now: Instant, _ db: Database
  ) throws {
    let nameless = ImportedReceipt(.customer(id)).fingerprint
    try db.run(
      """
      UPDATE OR IGNORE receipts SET fingerprint = ?1, bundle_id = ?2, next_due_at_ms = ?3, due_rule = 'new'
      WHERE fingerprint = ?4 AND bundle_id IS NULL AND dead_reason IS NULL
      """, [fingerprint, app, now, nameless])
  }

  /// Moves the entry of an id to `app` if an earlier import named another app, and makes the entry due.
  ///
  /// The entry is not moved if an answer or a chain proves the other app. It is marked as dead if an answer
  /// or a chain proves that the id belongs to `app`. An import that names an id for two apps keeps both
  /// entries.
  ///
  /// - Parameter apps: Apps that the id may have been imported for.
  static func rename(
    _ id: CustomerID, to app: BundleID, _ fingerprint: String, from apps: [BundleID], at now: Instant,
    _ db: Database
  ) throws -> ReceiptImportSummary {
    var summary = ReceiptImportSummary()
    guard !apps.isEmpty else { return summary }
    let find = try db.cachedStatement(
      sql: """
        SELECT DISTINCT fingerprint FROM receipts
        WHERE fingerprint IN (\(databaseQuestionMarks(count: apps.count))) AND NOT \(isConfirmed("receipts"))
        """)
    let mistaken = try String.fetchAll(
      find, arguments: StatementArguments(apps.map { id.fingerprint(in: $0) }))
    let rename = try db.cachedStatement(
      sql: """
        UPDATE OR IGNORE receipts SET \(StoredContents.likeNew), fingerprint = ?, bundle_id = ?
        WHERE fingerprint = ? AND imported_at_ms < ?1 AND NOT \(isConfirmed("receipts"))
        """)
    let giveUp = try db.cachedStatement(
      sql: """
        UPDATE receipts SET dead_reason = ?, dead_at_ms = ?, next_due_at_ms = NULL, due_rule = NULL
        WHERE fingerprint = ? AND NOT \(isConfirmed("receipts")) AND dead_reason IS NOT ?1
          AND EXISTS (SELECT 1 FROM receipts other WHERE other.fingerprint = ? AND \(isConfirmed("other")))
        """)
    for old in mistaken {
      try rename.execute(arguments: [now, fingerprint, app, old])
      summary.moved += db.changesCount
      try giveUp.execute(arguments: [ofAnotherApp, now, old, fingerprint])
      summary.givenUp += db.changesCount
    }
    return summary
  }

  private static let ofAnotherApp = "its id belongs to another app"

  /// Returns the SQL condition for a receipt whose app is proved by an answer or a chain.
  private static func isConfirmed(_ receipts: String) -> String {
    """
    (\(receipts).last_validated_at_ms IS NOT NULL
      OR EXISTS (SELECT 1 FROM receipt_chains k WHERE k.receipt_id = \(receipts).id))
    """
  }

  /// Returns whether the id's customer is stored; if so, saves the id, and sets a missing user or due date.
  static func isKnown(
    _ id: CustomerID, of imported: ImportedReceipt, at now: Instant, _ derivation: Derivation
  ) throws -> Bool {
    let db = derivation.db
    let user = imported.isUserProvisional ? "" : imported.appUserID?.rawValue ?? ""
    let arguments: StatementArguments = [id.rawValue, user, imported.bundleID]
    guard
      let receipt = try ReceiptID.first(
        db,
        """
        SELECT q.id FROM chains c JOIN receipt_chains k ON k.chain_id = c.id JOIN receipts q ON q.id = k.receipt_id
        WHERE (c.original_transaction_id = ?1
            OR c.id IN (SELECT x.chain_id FROM transaction_rows x WHERE x.transaction_id = ?1))
          AND (?2 = '' OR q.app_user_id IN (?2, '') OR q.user_is_provisional) AND (?3 IS NULL OR q.bundle_id IS NULL OR q.bundle_id = ?3)
        ORDER BY q.app_user_id = ?2 DESC, q.has_contents DESC, q.id LIMIT 1
        """, arguments),
      let record = try ReceiptRecord.fetch(receipt, db)
    else { return false }
    let known = try record.adopted(
      by: imported.appUserID.flatMap { $0.rawValue.isEmpty ? nil : $0 },
      isProvisional: imported.isUserProvisional, derivation)
    try keep(id, of: known.id, db)
    try db.run(
      """
      UPDATE receipts SET next_due_at_ms = ?, due_rule = 'new'
      WHERE id = ? AND next_due_at_ms IS NULL AND dead_reason IS NULL
      """, [now, known.id])
    return true
  }
}

/// Cache of the apps that receipts in the store belong to, during an import.
struct StoredApps {
  private var apps: Set<BundleID>?

  mutating func others(than app: BundleID, _ db: Database) throws -> [BundleID] {
    var known = try apps ?? fetch(db)
    known.insert(app)
    apps = known
    return known.filter { $0 != app }.sorted()
  }

  /// Returns the app of an earlier import of the id, or `nil` if there is none.
  mutating func app(of id: CustomerID, _ db: Database) throws -> BundleID? {
    let known = try apps ?? fetch(db)
    apps = known
    guard !known.isEmpty else { return nil }
    return try BundleID.first(
      db,
      """
      SELECT bundle_id FROM receipts
      WHERE fingerprint IN (\(databaseQuestionMarks(count: known.count))) AND bundle_id IS NOT NULL
      ORDER BY dead_reason IS NOT NULL, bundle_id LIMIT 1
      """, StatementArguments(known.map { id.fingerprint(in: $0) }))
  }

  private func fetch(_ db: Database) throws -> Set<BundleID> {
    try Set(BundleID.fetchAll(db, sql: "SELECT DISTINCT bundle_id FROM receipts WHERE bundle_id IS NOT NULL"))
  }
}
