import GRDB
import Subscriptions

struct StoredTransaction: Sendable {
  var rowID: Int64
  private var shapeID: Int64
  var transaction: Transaction
  var sighting: Sighting
  /// Whether only `in_app` showed its ends last.
  var isLagging: Bool
  /// Last full validation that showed it; `nil` if that is the chain's last.
  var confirmedAt: Instant?
  var facts: DerivedFacts

  static func fetch(
    chain: ChainRecord, _ shapes: AttributeDictionary, _ db: Database
  ) throws -> [StoredTransaction] {
    try fetch(ChainPage([chain]), shapes, db)[0]
  }

  /// Returns the transactions of each chain.
  ///
  /// - Parameter knownAt: Instant after which sightings are omitted, together with derived values, which are
  ///   current; `nil` for everything.
  static func fetch(
    _ page: ChainPage, knownAt: Instant? = nil, _ shapes: AttributeDictionary, _ db: Database
  ) throws -> [[StoredTransaction]] {
    let columns = knownAt == nil ? "\(evidence), \(derived)" : evidence
    var isSigned = false
    var all = try page.rows(
      "SELECT \(columns) FROM transaction_rows WHERE chain_id BETWEEN ? AND ? ORDER BY chain_id, id", db
    ) { chain, row -> StoredTransaction? in
      let first = row.instant(1) ?? chain.common.observedAt ?? .distantPast
      if let knownAt, first > knownAt { return nil }
      guard let known = try shapes.shape(numbered: row[3], TransactionShape.self) else {
        throw AttributeDictionary.missing(row[3])
      }
      isSigned = isSigned || known.shape.isSigned
      return StoredTransaction(row, known.shape, of: chain, firstSeen: first, isDerived: knownAt == nil)
    }
    guard isSigned else { return all }
    let terms = try StoredTerms.fetch(page, db)
    for chain in all.indices {
      for place in all[chain].indices {
        if let told = terms[all[chain][place].rowID] { all[chain][place].transaction.terms = told }
      }
    }
    return all
  }

  private static let evidence = """
    chain_id, first_observed_at_ms, id, shape_id, transaction_id, web_order_line_item_id, purchase_date_ms,
    original_purchase_date_ms, expires_date_ms, cancellation_date_ms, app_account_token, observed_at_ms, confirmed_at_ms,
    told_expires_date_ms
    """

  private static let derived = """
    line_id, duplicate_of, effective_end_ms, refunded_at_ms, upgraded_at_ms, prorated_refund_micros, cancelled_at_ms,
    partial_refund_micros
    """

  /// Reads the columns `evidence` and `derived`, and adds the values of the shape and the chain.
  private init(
    _ row: BoundStatement.Columns, _ shape: TransactionShape, of chain: ChainRecord, firstSeen: Instant,
    isDerived: Bool
  ) {
    (rowID, shapeID) = (row[2], row[3])
    transaction = shape.transaction
    transaction.transactionID = TransactionID(row.text(4) ?? "")
    transaction.originalTransactionID = chain.original
    transaction.webOrderLineItemID = row.text(5)
    transaction.purchaseDate = row.appleDate(6) ?? .appStoreOpening
    transaction.originalPurchaseDate = chain.common.originalPurchaseDate(told: row.instant(7))
    transaction.expiresDate = row.appleDate(13) ?? row.appleDate(8)
    transaction.cancellationDate = row.appleDate(9)
    transaction.appAccountToken = row.isNumber(10) ? nil : row.text(10) ?? chain.common.appAccountToken
    sighting = Sighting(first: firstSeen, latest: row.instant(11) ?? firstSeen)
    isLagging = shape.isLagging
    confirmedAt = row.instant(12)
    facts = DerivedFacts()
    guard isDerived else { return }
    facts = shape.facts
    facts.lineID = row.number(14)
    facts.duplicateOf = row.number(15)
    if facts.kind != nil {
      facts.expires = row.appleDate(8)
      // Trials store it even if it is their expiry.
      facts.effectiveEnd = row.appleDate(16) ?? (facts.kind == .trial ? nil : facts.expires)
    }
    facts.refundedAt = row.appleDate(17)
    facts.upgradedAt = row.appleDate(18)
    facts.proratedRefundMicros = row.amount(19)
    facts.cancelledAt = row.appleDate(20)
    facts.partialRefundMicros = row.amount(21)
  }
}

extension StoredTransaction {
  /// Values of a transaction that do not depend on its line and the catalogue.
  struct Evidence: Hashable {
    var transaction: Transaction
    var sighting: Sighting
    var isLagging: Bool
    var confirmedAt: Instant?
  }

  var evidence: Evidence {
    Evidence(
      transaction: transaction, sighting: sighting, isLagging: isLagging, confirmedAt: confirmedAt)
  }

  struct Insertion {
    private let chain: ChainRecord
    private let book: RollupWriter
    private let db: Database
    private var statement: BoundStatement

    init(chain: ChainRecord, _ book: RollupWriter, _ db: Database) throws {
      (self.chain, self.book, self.db) = (chain, book, db)
      statement = try BoundStatement(insertion, db)
    }

    /// - Returns: The row number.
    mutating func add(_ evidence: Evidence, facts: DerivedFacts) throws -> Int64 {
      try evidence.count(facts, of: chain, book)
      try evidence.bind(facts, of: chain, book, to: &statement)
      statement.bind(chain.id)
      statement.bind(id: evidence.transaction.transactionID.rawValue)
      try statement.execute()
      let rowID = db.lastInsertedRowID
      if let terms = evidence.transaction.terms { try StoredTerms.write(terms, of: rowID, db) }
      return rowID
    }
  }

  func write(
    _ evidence: Evidence, _ facts: DerivedFacts, of chain: ChainRecord, _ book: RollupWriter, _ db: Database
  ) throws {
    var statement = try BoundStatement(Self.update, db)
    try self.evidence.count(self.facts, of: chain, book, times: -1)
    try evidence.count(facts, of: chain, book)
    try evidence.bind(facts, of: chain, book, to: &statement)
    statement.bind(rowID)
    try statement.execute()
    if let terms = evidence.transaction.terms, terms != transaction.terms {
      try StoredTerms.write(terms, of: rowID, db)
    }
  }

  func count(of chain: ChainRecord, _ book: RollupWriter) throws {
    try book.add(shapeID, evidence.dates(facts)) { evidence.shape(facts, of: chain) }
  }

  private static let written = [
    "shape_id", "line_id", "web_order_line_item_id", "purchase_date_ms", "expires_date_ms",
    "effective_end_ms",
    "original_purchase_date_ms", "app_account_token", "first_observed_at_ms", "observed_at_ms",
    "confirmed_at_ms", "cancellation_date_ms", "cancelled_at_ms", "refunded_at_ms", "upgraded_at_ms",
    "prorated_refund_micros", "duplicate_of", "partial_refund_micros", "told_expires_date_ms",
  ]

  private static let insertion = """
    INSERT INTO transaction_rows (\(written.joined(separator: ", ")), chain_id, transaction_id)
    VALUES (\(Array(repeating: "?", count: written.count + 2).joined(separator: ", ")))
    """

  private static let update = """
    UPDATE transaction_rows SET \(written.map { $0 + " = ?" }.joined(separator: ", ")) WHERE id = ?
    """
}

extension StoredTransaction.Evidence {
  fileprivate func shape(_ facts: DerivedFacts, of chain: ChainRecord) -> TransactionShape {
    TransactionShape(
      environment: chain.environment, transaction: transaction, isLagging: isLagging,
      isSigned: transaction.terms != nil, facts: facts)
  }

  fileprivate func count(
    _ facts: DerivedFacts, of chain: ChainRecord, _ book: RollupWriter, times sign: Int64 = 1
  ) throws {
    let shape = shape(facts, of: chain)
    try book.add(book.shapes.number(of: shape), dates(facts), times: sign) { shape }
  }

  fileprivate func dates(_ facts: DerivedFacts) -> RowDates {
    var dates = RowDates(purchase: transaction.purchaseDate)
    (dates.expires, dates.effectiveEnd) = (expires(facts), facts.effectiveEnd)
    (dates.refunded, dates.upgraded, dates.cancelled) = (
      facts.refundedAt, facts.upgradedAt, facts.cancelledAt
    )
    (dates.proratedRefund, dates.partialRefund) = (facts.proratedRefundMicros, facts.partialRefundMicros)
    return dates
  }

  /// Returns the expiry of the purchase, which another id of it may have.
  private func expires(_ facts: DerivedFacts) -> Instant? {
    transaction.expiresDate.map { facts.expires ?? $0 }
  }

  /// Binds the columns in the order of `written`. Derivable columns are stored as NULL; the view
  /// `transactions` restores them.
  fileprivate func bind(
    _ facts: DerivedFacts, of chain: ChainRecord, _ book: RollupWriter, to statement: inout BoundStatement
  ) throws {
    let (x, expires) = (transaction, expires(facts))
    statement.bind(try book.shapes.number(of: shape(facts, of: chain)))
    statement.bind(facts.lineID)
    statement.bind(id: x.webOrderLineItemID?.rawValue)
    statement.bind(x.purchaseDate)
    statement.bind(expires)
    // Queries search trials by their effective end.
    let isEarly = facts.effectiveEnd != expires
    statement.bind(isEarly || facts.kind == .trial ? facts.effectiveEnd : nil)
    statement.bind(chain.common.told(originalPurchaseDate: x.originalPurchaseDate))
    chain.common.bind(appAccountToken: x.appAccountToken, to: &statement)
    statement.bind(chain.common.told(observedAt: sighting.first))
    statement.bind(sighting.latest == sighting.first ? nil : sighting.latest)
    statement.bind(confirmedAt)
    statement.bind(x.cancellationDate)
    statement.bind(facts.cancelledAt)
    statement.bind(facts.refundedAt)
    statement.bind(facts.upgradedAt)
    statement.bind(facts.proratedRefundMicros)
    statement.bind(facts.duplicateOf)
    statement.bind(facts.partialRefundMicros)
    statement.bind(expires == x.expiresDate ? nil : x.expiresDate)
  }
}
