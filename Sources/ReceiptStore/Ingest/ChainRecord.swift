import GRDB
import Subscriptions

struct ChainRecord: Sendable {
  var id: Int64
  var environment: StoreEnvironment
  var original: OriginalTransactionID
  var validatedAt: Instant?
  /// Instant of the last validation with renewal infos for the chain.
  var renewalsObservedAt: Instant?
  /// Instant at which a receipt with the chain got status 21010.
  var goneAt: Instant?
  /// Receipt that provided the last validation; `nil` if a signed transaction, or another answer of the same
  /// instant, was added later.
  var answeredBy: ReceiptID?
  private var validations = ""

  static let columns = """
    c.id, c.environment, c.original_transaction_id, c.validated_at_ms, c.renewals_observed_at_ms, c.gone_at_ms,
    c.answered_by, c.validations
    """

  init(_ row: BoundStatement.Columns) {
    id = row[0]
    environment = StoreEnvironment(row.text(1) ?? "")
    original = row.text(2) ?? OriginalTransactionID("")
    validatedAt = row.instant(3)
    renewalsObservedAt = row.instant(4)
    goneAt = row.instant(5)
    answeredBy = row.number(6).map(ReceiptID.init(rawValue:))
    validations = row.longText(7) ?? ""
  }

  /// - Parameter source: SQL after `FROM`: the chains `c`, joins and conditions.
  static func fetch(
    _ source: String, _ arguments: StatementArguments, _ db: Database
  ) throws -> [ChainRecord] {
    try db.rows("SELECT \(columns) FROM \(source)", arguments, ChainRecord.init)
  }

  static func fetch(_ id: Int64, _ db: Database) throws -> ChainRecord? {
    try fetch("chains c WHERE c.id = ?", [id], db).first
  }

  static func existing(
    _ original: OriginalTransactionID, in environment: StoreEnvironment, _ db: Database
  ) throws -> ChainRecord? {
    try fetch(
      "chains c WHERE c.original_transaction_id = ? AND c.environment = ?", [original, environment.rawValue],
      db
    ).first
  }

  static func fetch(
    ofReceipt receipt: ReceiptID, knownAt: Instant = .distantFuture, _ db: Database
  ) throws -> [ChainRecord] {
    try fetch(
      """
      receipt_chains k JOIN chains c ON c.id = k.chain_id WHERE k.receipt_id = ? AND k.first_observed_at_ms <= ?
      """, [receipt, knownAt], db)
  }

  private init(id: Int64, environment: StoreEnvironment, original: OriginalTransactionID) {
    (self.id, self.environment, self.original) = (id, environment, original)
  }

  static func find(
    _ original: OriginalTransactionID, in environment: StoreEnvironment, _ db: Database
  ) throws -> ChainRecord {
    try existing(original, in: environment, db) ?? insert(original, in: environment, db)
  }

  static func insert(
    _ original: OriginalTransactionID, in environment: StoreEnvironment, _ db: Database
  ) throws -> ChainRecord {
    let insert = try db.cachedStatement(
      sql: "INSERT INTO chains (environment, original_transaction_id) VALUES (?, ?)")
    try insert.execute(arguments: [environment.rawValue, original])
    return ChainRecord(id: db.lastInsertedRowID, environment: environment, original: original)
  }

  mutating func end(at instant: Instant, _ db: Database) throws {
    guard goneAt ?? .distantPast < instant else { return }
    goneAt = instant
    try db.cachedStatement(sql: "UPDATE chains SET gone_at_ms = ? WHERE id = ?")
      .execute(arguments: [instant, id])
  }

  /// Ends the chain if `receipt`, which contains the chain, got status 21010 at or after `observedAt`.
  mutating func end(with receipt: ReceiptID, observedAt: Instant, _ db: Database) throws {
    let statement = try db.cachedStatement(
      sql: "SELECT gone_at_ms FROM gone_receipts WHERE receipt_id = ? AND gone_at_ms >= ?")
    if let gone = try Instant.fetchOne(statement, arguments: [receipt, observedAt]) { try end(at: gone, db) }
  }

  func link(to receipt: ReceiptID, observedAt: Instant, _ db: Database) throws {
    try db.run(
      """
      INSERT INTO receipt_chains (receipt_id, chain_id, first_observed_at_ms) VALUES (?, ?, ?)
      ON CONFLICT DO UPDATE SET first_observed_at_ms = excluded.first_observed_at_ms
      WHERE first_observed_at_ms > excluded.first_observed_at_ms
      """, [receipt, id, observedAt])
  }

  var log: ValidationLog { ValidationLog(validations) }

  /// Adds a validation, or a signed transaction if `isSigned`; either may be older than the logged ones.
  mutating func validate(
    at t: Instant, withRenewals: Bool, isPartial: Bool, isSigned: Bool = false, by receipt: ReceiptID,
    log before: ValidationLog, _ db: Database
  ) throws {
    var log = before
    if isSigned {
      log.insert(signed: t)
    } else {
      log.insert(t, hasRenewals: withRenewals, isPartial: isPartial)
    }
    let (text, old) = (log.text, (validations, answeredBy))
    if !isSigned, t > before.last ?? .distantPast {
      answeredBy = receipt
    } else if isSigned || t == before.last {
      answeredBy = nil
    }
    guard text != old.0 || answeredBy != old.1 else { return }
    (validatedAt, renewalsObservedAt, validations) = (log.all.last, log.withRenewals.last, text)
    try db.run(
      """
      UPDATE chains SET validated_at_ms = ?, renewals_observed_at_ms = ?, validations = ?, answered_by = ?
      WHERE id = ?
      """, [validatedAt, renewalsObservedAt, text, answeredBy, id])
  }
}
