import GRDB
import Subscriptions

/// Row of the table `chains`.
struct ChainRecord: Sendable {
  var id: Int64
  var environment: StoreEnvironment
  var original: OriginalTransactionID
  var validatedAt: Instant?
  /// Last validation with renewal infos for the chain.
  var renewalsObservedAt: Instant?
  /// Instant of status 21010 for a receipt that holds the chain.
  var goneAt: Instant?
  /// Receipt of the last validation, if it was the only one at that instant.
  var answeredBy: ReceiptID?
  private var validations = ""
  var common = ChainCommon()

  static let columns = """
    c.id, c.environment, c.original_transaction_id, c.validated_at_ms, c.renewals_observed_at_ms, c.gone_at_ms,
    c.answered_by, c.validations, c.common_observed_at_ms, c.common_original_purchase_date_ms, c.common_app_account_token
    """

  init(_ row: FetchedRow) throws {
    id = try row[0]
    environment = StoreEnvironment(try row[1] as String)
    original = try row[2]
    validatedAt = try row[3]
    renewalsObservedAt = try row[4]
    goneAt = try row[5]
    answeredBy = try row[6]
    validations = try row.longText(7) ?? ""
    common.observedAt = try row[8]
    common.originalPurchaseDate = try row[9]
    common.appAccountToken = try row[10]
  }

  init(_ row: BoundStatement.Columns) {
    id = row[0]
    environment = StoreEnvironment(row.text(1) ?? "")
    original = row.text(2) ?? OriginalTransactionID("")
    validatedAt = row.instant(3)
    renewalsObservedAt = row.instant(4)
    goneAt = row.instant(5)
    answeredBy = row.number(6).map(ReceiptID.init(rawValue:))
    validations = row.longText(7) ?? ""
    common.observedAt = row.instant(8)
    common.originalPurchaseDate = row.instant(9)
    common.appAccountToken = row.text(10)
  }

  private init(id: Int64, environment: StoreEnvironment, original: OriginalTransactionID) {
    self.id = id
    self.environment = environment
    self.original = original
  }

  /// Returns the chain's row, inserting it if it is missing.
  static func find(
    _ original: OriginalTransactionID, in environment: StoreEnvironment, _ db: Database
  ) throws
    -> ChainRecord
  {
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

  /// Records that the account of the chain is gone.
  mutating func end(at instant: Instant, _ db: Database) throws {
    guard goneAt ?? .distantPast < instant else { return }
    goneAt = instant
    try db.cachedStatement(sql: "UPDATE chains SET gone_at_ms = ? WHERE id = ?")
      .execute(arguments: [instant, id])
  }

  /// Ends the chain if its receipt got status 21010 at or after `observedAt`, since an older answer may be
  /// ingested later.
  mutating func end(with receipt: ReceiptID, observedAt: Instant, _ db: Database) throws {
    let statement = try db.cachedStatement(
      sql: "SELECT gone_at_ms FROM gone_receipts WHERE receipt_id = ? AND gone_at_ms >= ?")
    if let gone = try Instant.fetchOne(statement, arguments: [receipt, observedAt]) { try end(at: gone, db) }
  }

  mutating func link(to receipt: ReceiptID, observedAt: Instant, _ db: Database) throws {
    if let common = common.observedAt, observedAt < common { try tellObservations(db) }
    let statement = try db.cachedStatement(
      sql: """
        INSERT INTO receipt_chains (receipt_id, chain_id, first_observed_at_ms) VALUES (?, ?, ?)
        ON CONFLICT DO UPDATE SET first_observed_at_ms = excluded.first_observed_at_ms
        WHERE first_observed_at_ms > excluded.first_observed_at_ms
        """)
    try statement.execute(arguments: [receipt, id, observedAt])
  }

  static func fetch(
    ofReceipt receipt: ReceiptID, knownAt: Instant = .distantFuture, _ db: Database
  ) throws -> [ChainRecord] {
    let statement = try db.cachedStatement(
      sql: """
        SELECT \(columns) FROM receipt_chains k JOIN chains c ON c.id = k.chain_id
        WHERE k.receipt_id = ? AND k.first_observed_at_ms <= ?
        """)
    return try FetchedRow.fetchAll(statement, arguments: [receipt, knownAt]).map(ChainRecord.init)
  }
}

extension ChainRecord {
  var log: ValidationLog { ValidationLog(validations) }

  /// Appends a validation that repeats the one before.
  mutating func confirm(at t: Instant, withRenewals: Bool, isPartial: Bool, _ db: Database) throws {
    guard let before = validatedAt, t > before else { return }
    validatedAt = t
    if withRenewals { renewalsObservedAt = t }
    let entry = ValidationLog.entry(
      t, after: before, hasRenewals: withRenewals, isPartial: isPartial)
    validations += entry
    let statement = try db.cachedStatement(
      sql: """
        UPDATE chains SET validated_at_ms = ?, renewals_observed_at_ms = ?, validations = validations || ? WHERE id = ?
        """)
    try statement.execute(arguments: [validatedAt, renewalsObservedAt, entry, id])
  }

  /// Adds a validation of any date, or a signed transaction, which is not a validation.
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
    let statement = try db.cachedStatement(
      sql: """
        UPDATE chains SET validated_at_ms = ?, renewals_observed_at_ms = ?, validations = ?, answered_by = ?,
          common_observed_at_ms = ?, common_original_purchase_date_ms = ?, common_app_account_token = ?
        WHERE id = ?
        """)
    try statement.execute(arguments: [
      validatedAt, renewalsObservedAt, text, answeredBy, common.observedAt, common.originalPurchaseDate,
      common.appAccountToken, id,
    ])
  }
}

extension ChainRecord {
  /// Writes the common first sighting into each row, before a receipt is linked that held the chain earlier.
  mutating func tellObservations(_ db: Database) throws {
    guard let common = common.observedAt else { return }
    for (table, column) in [
      ("transaction_rows", "first_observed_at_ms"), ("event_rows", "observed_at_ms"),
    ] {
      try db.cachedStatement(
        sql: "UPDATE \(table) SET \(column) = ? WHERE chain_id = ? AND \(column) IS NULL"
      ).execute(arguments: [common, id])
    }
    try db.cachedStatement(sql: "UPDATE chains SET common_observed_at_ms = NULL WHERE id = ?")
      .execute(arguments: [id])
    self.common.observedAt = nil
  }
}

extension ChainRecord {
  static func existing(
    _ original: OriginalTransactionID, in environment: StoreEnvironment, _ db: Database
  ) throws -> ChainRecord? {
    let statement = try db.cachedStatement(
      sql: "SELECT \(columns) FROM chains c WHERE c.original_transaction_id = ? AND c.environment = ?")
    return try FetchedRow.fetchOne(statement, arguments: [original, environment.rawValue]).map(
      ChainRecord.init)
  }

  static func fetch(_ id: Int64, _ db: Database) throws -> ChainRecord? {
    let statement = try db.cachedStatement(sql: "SELECT \(columns) FROM chains c WHERE c.id = ?")
    return try FetchedRow.fetchOne(statement, arguments: [id]).map(ChainRecord.init)
  }
}

/// Values that nearly all rows of a chain share. A row stores such a value only if it differs.
struct ChainCommon {
  /// Instant at which the chain's transactions and events were first seen. No receipt was seen to hold the
  /// chain earlier.
  var observedAt: Instant?
  var originalPurchaseDate: Instant?
  var appAccountToken: String?

  /// Marks a missing date in a row if the chain has one.
  static let noDate = Instant.distantPast
  /// Marks a missing token in a row if the chain has one. Tokens are text.
  static let noToken: Int64 = 0

  init() {}

  /// - Parameter transaction: First transaction of the chain.
  init(_ transaction: Transaction?, observedAt: Instant) {
    self.observedAt = observedAt
    originalPurchaseDate = transaction?.originalPurchaseDate
    appAccountToken = transaction?.appAccountToken
  }

  /// Returns the first sighting to store in a row; `nil` if it equals the chain's.
  func told(observedAt t: Instant) -> Instant? { t == observedAt ? nil : t }

  func told(originalPurchaseDate date: Instant?) -> Instant? {
    date == originalPurchaseDate ? nil : date ?? Self.noDate
  }

  func originalPurchaseDate(told date: Instant?) -> Instant? {
    let date = date ?? originalPurchaseDate
    return date == Self.noDate ? nil : date
  }

  func bind(appAccountToken token: String?, to statement: inout BoundStatement) {
    if let token {
      let isCommon = appAccountToken.map { $0.utf8.elementsEqual(token.utf8) } ?? false
      statement.bind(isCommon ? nil : token)
    } else {
      statement.bind(appAccountToken == nil ? nil : Self.noToken)
    }
  }
}
