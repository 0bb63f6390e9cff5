import GRDB
import Subscriptions

struct StoredTransaction: StoredRow, Hashable {
  private(set) var rowID: Int64 = 0
  private var chainID: Int64 = 0
  private var shapeID: Int64 = 0
  private var environment = StoreEnvironment.production
  var transaction: Transaction
  var sighting = Sighting(first: .distantPast, latest: .distantPast)
  /// Whether the observed values may be outdated, for example because the transaction was only in `in_app`.
  var isLagging = false
  /// Last full validation that showed the transaction; `nil` if none did, or if the chain has no later one.
  var confirmedAt: Instant?
  var facts = DerivedFacts()

  static let sql = RowSQL(Self(), "transaction_rows")

  init() { transaction = TransactionShape().transaction }

  init(_ transaction: Transaction, of chain: ChainRecord) {
    (self.transaction, chainID, environment) = (transaction, chain.id, chain.environment)
  }

  private init(_ row: BoundStatement.Columns, _ shape: TransactionShape, of chain: ChainRecord) {
    (transaction, isLagging, facts) = (shape.transaction, shape.isLagging, shape.facts)
    transaction.originalTransactionID = chain.original
    environment = shape.environment
    read(row)
    rowID = row[CInt(Self.sql.columns.count)]
  }

  static func fetch(
    chain: ChainRecord, _ shapes: AttributeDictionary, _ db: Database
  ) throws -> [StoredTransaction] {
    try fetch(ChainPage([chain]), shapes, db)[0]
  }

  /// - Parameter knownAt: Transactions first observed after this instant are omitted.
  static func fetch(
    _ page: ChainPage, knownAt: Instant = .distantFuture, _ shapes: AttributeDictionary, _ db: Database
  ) throws -> [[StoredTransaction]] {
    var isSigned = false
    var all = try page.rows(
      "\(sql.select), id FROM transaction_rows WHERE chain_id BETWEEN ? AND ? ORDER BY chain_id, id", db
    ) { chain, row -> StoredTransaction? in
      let shape = try shapes.existing(row[1], TransactionShape.self)
      let stored = StoredTransaction(row, shape, of: chain)
      guard stored.sighting.first <= knownAt else { return nil }
      isSigned = isSigned || shape.isSigned
      return stored
    }
    guard isSigned else { return all }
    let terms = try StoredTerms.fetch(page, db)
    for chain in all.indices {
      for place in all[chain].indices {
        if let signed = terms[all[chain][place].rowID] { all[chain][place].transaction.terms = signed }
      }
    }
    return all
  }

  mutating func map(_ columns: inout some ColumnMapper) {
    columns.map("chain_id", &chainID)
    columns.map("shape_id", &shapeID)
    columns.map("line_id", &facts.lineID)
    columns.map("transaction_id", &transaction.transactionID)
    columns.map("web_order_line_item_id", &transaction.webOrderLineItemID)
    columns.map(date: "purchase_date_ms", &transaction.purchaseDate)
    columns.map(date: "original_purchase_date_ms", &transaction.originalPurchaseDate)
    columns.map("app_account_token", &transaction.appAccountToken)
    columns.map("first_observed_at_ms", &sighting.first)
    columns.map("observed_at_ms", &sighting.latest)
    columns.map("confirmed_at_ms", &confirmedAt)
    columns.map(date: "cancellation_date_ms", &transaction.cancellationDate)
    columns.map(date: "cancelled_at_ms", &facts.cancelledAt)
    columns.map(date: "refunded_at_ms", &facts.refundedAt)
    columns.map(date: "upgraded_at_ms", &facts.upgradedAt)
    columns.map(amount: "prorated_refund_micros", &facts.proratedRefundMicros)
    columns.map(amount: "partial_refund_micros", &facts.partialRefundMicros)
    columns.map("duplicate_of", &facts.duplicateOf)
    var (end, own) = (expires, transaction.expiresDate == expires ? nil : transaction.expiresDate)
    columns.map(date: "expires_date_ms", &end)
    columns.map(date: "told_expires_date_ms", &own)
    transaction.expiresDate = own ?? end
    facts.expires = facts.kind == nil ? nil : end
    // Trials always store their effective end, because queries search for it.
    let isTrial = facts.kind == .trial
    var effectiveEnd = facts.effectiveEnd == end && !isTrial ? nil : facts.effectiveEnd
    columns.map(date: "effective_end_ms", &effectiveEnd)
    facts.effectiveEnd = effectiveEnd ?? (isTrial ? nil : facts.expires)
  }

  private var expires: Instant? { transaction.expiresDate.map { facts.expires ?? $0 } }

  private var shape: TransactionShape {
    TransactionShape(
      environment: environment, transaction: transaction, isLagging: isLagging,
      isSigned: transaction.terms != nil, facts: facts)
  }

  func count(_ book: RollupWriter, times sign: Int64 = 1) throws {
    var dates = RowDates(purchase: transaction.purchaseDate)
    (dates.expires, dates.effectiveEnd) = (expires, facts.effectiveEnd)
    (dates.refunded, dates.upgraded, dates.cancelled) = (
      facts.refundedAt, facts.upgradedAt, facts.cancelledAt
    )
    (dates.proratedRefund, dates.partialRefund) = (facts.proratedRefundMicros, facts.partialRefundMicros)
    try book.add(shapeID, dates, times: sign) { shape }
  }

  mutating func insert(_ book: RollupWriter, _ db: Database) throws {
    shapeID = try book.shapes.number(of: shape)
    try count(book)
    try insert(db)
    rowID = db.lastInsertedRowID
    if let terms = transaction.terms { try StoredTerms.write(terms, of: rowID, db) }
  }

  mutating func update(replacing old: StoredTransaction, _ book: RollupWriter, _ db: Database) throws {
    shapeID = try book.shapes.number(of: shape)
    try old.count(book, times: -1)
    try count(book)
    var statement = try BoundStatement(Self.update, db)
    bind(to: &statement)
    statement.bind(rowID)
    try statement.execute()
    if let terms = transaction.terms, terms != old.transaction.terms {
      try StoredTerms.write(terms, of: rowID, db)
    }
  }

  /// `UPDATE` without the key columns, because SQLite would rewrite their indexes.
  private static let update = {
    let written = sql.columns.enumerated().filter { !["chain_id", "transaction_id"].contains($1) }
    let values = written.map { "\($1) = ?\($0 + 1)" }.joined(separator: ", ")
    return "UPDATE transaction_rows SET \(values) WHERE id = ?\(sql.columns.count + 1)"
  }()
}
