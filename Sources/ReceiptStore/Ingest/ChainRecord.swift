import GRDB
import Subscriptions

/// A chain's row, and what hangs on it.
struct ChainRecord {
  var id: Int64
  var environment: StoreEnvironment
  var original: OriginalTransactionID
  var validatedAt: Instant?
  /// The last validation that had renewal infos for the chain.
  var renewalsObservedAt: Instant?
  /// When status 21010 was answered for a receipt that holds the chain.
  var goneAt: Instant?

  static let columns = """
    c.id, c.environment, c.original_transaction_id, c.validated_at_ms, c.renewals_observed_at_ms, c.gone_at_ms
    """

  init(_ row: FetchedRow) {
    id = row[0]
    environment = StoreEnvironment(row[1] as String)
    original = row[2]
    validatedAt = row[3]
    renewalsObservedAt = row[4]
    goneAt = row[5]
  }

  private init(id: Int64, environment: StoreEnvironment, original: OriginalTransactionID) {
    self.id = id
    self.environment = environment
    self.original = original
  }

  /// The chain's row, made where there is none yet.
  static func find(
    _ original: OriginalTransactionID, in environment: StoreEnvironment, _ db: Database
  ) throws
    -> ChainRecord
  {
    let find = try db.cachedStatement(
      sql: "SELECT \(columns) FROM chains c WHERE c.original_transaction_id = ? AND c.environment = ?")
    if let row = try FetchedRow.fetchOne(find, arguments: [original, environment.rawValue]) {
      return ChainRecord(row)
    }
    let insert = try db.cachedStatement(
      sql: "INSERT INTO chains (environment, original_transaction_id) VALUES (?, ?)")
    try insert.execute(arguments: [environment.rawValue, original])
    return ChainRecord(id: db.lastInsertedRowID, environment: environment, original: original)
  }

  /// Moves the last validation forward; an older answer does not move it back.
  mutating func validate(at instant: Instant, withRenewals: Bool, _ db: Database) throws {
    let (before, renewalsBefore) = (validatedAt, renewalsObservedAt)
    validatedAt = max(before ?? instant, instant)
    if withRenewals { renewalsObservedAt = max(renewalsBefore ?? instant, instant) }
    guard validatedAt != before || renewalsObservedAt != renewalsBefore else { return }
    let statement = try db.cachedStatement(
      sql: "UPDATE chains SET validated_at_ms = ?, renewals_observed_at_ms = ? WHERE id = ?")
    try statement.execute(arguments: [validatedAt, renewalsObservedAt, id])
  }

  /// Keeps that the account behind the chain is gone.
  mutating func end(at instant: Instant, _ db: Database) throws {
    goneAt = instant
    try db.cachedStatement(sql: "UPDATE chains SET gone_at_ms = ? WHERE id = ?")
      .execute(arguments: [instant, id])
  }

  func link(to receipt: ReceiptID, observedAt: Instant, _ db: Database) throws {
    let statement = try db.cachedStatement(
      sql: """
        INSERT INTO receipt_chains (receipt_id, chain_id, first_observed_at_ms) VALUES (?, ?, ?)
        ON CONFLICT DO UPDATE SET first_observed_at_ms = excluded.first_observed_at_ms
        WHERE first_observed_at_ms > excluded.first_observed_at_ms
        """)
    try statement.execute(arguments: [receipt, id, observedAt])
  }

  static func fetch(ofReceipt receipt: ReceiptID, _ db: Database) throws -> [ChainRecord] {
    let statement = try db.cachedStatement(
      sql: """
        SELECT \(columns) FROM receipt_chains k JOIN chains c ON c.id = k.chain_id WHERE k.receipt_id = ?
        """)
    return try FetchedRow.fetchAll(statement, arguments: [receipt]).map(ChainRecord.init)
  }

  /// The users of the receipts that were known to hold the chain at an instant.
  func users(knownAt: Instant, _ db: Database) throws -> Set<AppUserID> {
    let statement = try db.cachedStatement(
      sql: """
        SELECT q.app_user_id FROM receipt_chains k JOIN receipts q ON q.id = k.receipt_id
        WHERE k.chain_id = ? AND k.first_observed_at_ms <= ? AND q.app_user_id <> ''
        """)
    return try AppUserID.fetchSet(statement, arguments: [id, knownAt])
  }
}
