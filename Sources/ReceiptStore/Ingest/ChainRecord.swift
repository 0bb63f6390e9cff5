import GRDB
import Subscriptions

/// A chain's row, and what hangs on it.
struct ChainRecord {
  var id: Int64
  var environment: StoreEnvironment
  var original: OriginalTransactionID
  var validatedAt: Instant?

  static let columns = "c.id, c.environment, c.original_transaction_id, c.validated_at_ms"

  init(_ row: FetchedRow) {
    id = row[0]
    environment = StoreEnvironment(row[1] as String)
    original = row[2]
    validatedAt = row[3]
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
  mutating func validate(at instant: Instant, _ db: Database) throws {
    guard validatedAt.map({ $0 < instant }) ?? true else { return }
    validatedAt = instant
    let statement = try db.cachedStatement(sql: "UPDATE chains SET validated_at_ms = ? WHERE id = ?")
    try statement.execute(arguments: [instant, id])
  }

  func link(to receipt: ReceiptID, _ db: Database) throws {
    let statement = try db.cachedStatement(
      sql: "INSERT OR IGNORE INTO receipt_chains (receipt_id, chain_id) VALUES (?, ?)")
    try statement.execute(arguments: [receipt, id])
  }

  static func fetch(ofReceipt receipt: ReceiptID, _ db: Database) throws -> [ChainRecord] {
    let statement = try db.cachedStatement(
      sql: """
        SELECT \(columns) FROM receipt_chains k JOIN chains c ON c.id = k.chain_id WHERE k.receipt_id = ?
        """)
    return try FetchedRow.fetchAll(statement, arguments: [receipt]).map(ChainRecord.init)
  }

  func users(_ db: Database) throws -> Set<AppUserID> {
    let statement = try db.cachedStatement(
      sql: """
        SELECT q.app_user_id FROM receipt_chains k JOIN receipts q ON q.id = k.receipt_id
        WHERE k.chain_id = ? AND q.app_user_id <> ''
        """)
    return try AppUserID.fetchSet(statement, arguments: [id])
  }
}
