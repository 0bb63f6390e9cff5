import GRDB
import Subscriptions

/// A transaction as it stands in the table, with its row number and what was derived for it.
struct StoredTransaction {
  var rowID: Int64
  var transaction: Transaction
  var sighting: Sighting
  /// Whether its ends were last told by `in_app` alone.
  var isLagging: Bool
  /// The last full validation that spoke of it; nil where it is the chain's last.
  var confirmedAt: Instant?
  var facts: DerivedFacts

  static let columns = """
    x.id, x.transaction_id, x.web_order_line_item_id, x.product_id, x.subscription_group_identifier, x.quantity,
    x.purchase_date_ms, x.original_purchase_date_ms, x.expires_date_ms, x.cancellation_date_ms,
    x.cancellation_reason, x.is_trial_period, x.is_in_intro_offer_period, x.is_upgraded, x.in_app_ownership_type,
    x.promotional_offer_id, x.offer_code_ref_name, x.app_account_token, x.first_observed_at_ms, x.observed_at_ms,
    x.is_lagging, x.confirmed_at_ms
    """

  private static let count = 22

  /// Reads `columns`, and `DerivedFacts.columns` after them where they were asked for.
  init(_ row: FetchedRow, chain: OriginalTransactionID, withFacts: Bool = false) {
    rowID = row[0]
    var transaction = Transaction(
      transactionID: row[1], originalTransactionID: chain, productID: row[3], purchaseDate: row[6],
      expiresDate: row[8])
    transaction.webOrderLineItemID = row[2]
    transaction.subscriptionGroupIdentifier = row[4]
    transaction.quantity = row[5]
    transaction.originalPurchaseDate = row[7]
    transaction.cancellationDate = row[9]
    transaction.cancellationReason = row[10]
    transaction.isTrialPeriod = row[11]
    transaction.isInIntroOfferPeriod = row[12]
    transaction.isUpgraded = row[13]
    transaction.inAppOwnershipType = OwnershipType(row[14] as String)
    transaction.promotionalOfferID = row[15]
    transaction.offerCodeRefName = row[16]
    transaction.appAccountToken = row[17]
    self.transaction = transaction
    sighting = Sighting(first: row[18], latest: row[19])
    isLagging = row[20]
    confirmedAt = row[21]
    facts = withFacts ? DerivedFacts(row, from: Self.count) : DerivedFacts()
  }

  static func fetch(chain: ChainRecord, _ db: Database) throws -> [StoredTransaction] {
    let statement = try db.cachedStatement(
      sql: """
        SELECT \(columns), \(DerivedFacts.selected) FROM transactions x WHERE x.chain_id = ?
        """)
    return try FetchedRow.fetchAll(statement, arguments: [chain.id]).map {
      StoredTransaction($0, chain: chain.original, withFacts: true)
    }
  }
}

extension StoredTransaction {
  /// What is told of a transaction apart from its line and the catalogue.
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

  /// Adds transactions of one chain that no answer had shown before.
  struct Insertion {
    private let chain: ChainRecord
    private let book: LedgerBook
    private let db: Database
    private var statement: BoundStatement

    init(chain: ChainRecord, _ book: LedgerBook, _ db: Database) throws {
      (self.chain, self.book, self.db) = (chain, book, db)
      statement = try BoundStatement(insertion, db)
    }

    /// - Returns: its row number.
    mutating func add(_ evidence: Evidence, facts: DerivedFacts) throws -> Int64 {
      try evidence.count(facts, of: chain, book)
      try evidence.bind(facts, of: chain, book, to: &statement)
      statement.bind(chain.id)
      statement.bind(id: evidence.transaction.transactionID.rawValue)
      try statement.execute()
      return db.lastInsertedRowID
    }
  }

  /// Replaces everything that is told of a transaction.
  func write(
    _ evidence: Evidence, _ facts: DerivedFacts, of chain: ChainRecord, _ book: LedgerBook, _ db: Database
  ) throws {
    var statement = try BoundStatement(Self.update, db)
    try self.evidence.count(self.facts, of: chain, book, times: -1)
    try evidence.count(facts, of: chain, book)
    try evidence.bind(facts, of: chain, book, to: &statement)
    statement.bind(rowID)
    try statement.execute()
  }

  /// Adds what it is counted as, as it stands.
  func count(of chain: ChainRecord, _ book: LedgerBook) throws {
    try evidence.count(facts, of: chain, book)
  }

  private static let written = [
    "shape_id", "line_id", "web_order_line_item_id", "purchase_date_ms", "expires_date_ms",
    "effective_end_ms",
    "original_purchase_date_ms", "app_account_token", "first_observed_at_ms", "observed_at_ms",
    "confirmed_at_ms", "cancellation_date_ms", "cancelled_at_ms", "refunded_at_ms", "upgraded_at_ms",
    "prorated_refund_micros", "duplicate_of",
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
  private func shape(_ facts: DerivedFacts, of chain: ChainRecord) -> TransactionShape {
    TransactionShape(
      environment: chain.environment, transaction: transaction, isLagging: isLagging, facts: facts)
  }

  /// Adds what the row is counted as, or takes it off.
  fileprivate func count(
    _ facts: DerivedFacts, of chain: ChainRecord, _ book: LedgerBook, times sign: Int64 = 1
  ) throws {
    let dates = RowDates(
      purchase: transaction.purchaseDate, expires: transaction.expiresDate, effectiveEnd: facts.effectiveEnd,
      refunded: facts.refundedAt, upgraded: facts.upgradedAt, cancelled: facts.cancelledAt,
      proratedRefund: facts.proratedRefundMicros)
    try book.add(shape(facts, of: chain), dates, times: sign)
  }

  /// In the order of `written`. What follows from the rest is null, which the view `transactions` puts in again.
  fileprivate func bind(
    _ facts: DerivedFacts, of chain: ChainRecord, _ book: LedgerBook, to statement: inout BoundStatement
  ) throws {
    let x = transaction
    statement.bind(try book.shapes.number(of: shape(facts, of: chain)))
    statement.bind(facts.lineID)
    statement.bind(id: x.webOrderLineItemID?.rawValue)
    statement.bind(x.purchaseDate)
    statement.bind(x.expiresDate)
    // That of a trial is looked for.
    let isEarly = facts.effectiveEnd != x.expiresDate
    statement.bind(isEarly || facts.kind == .trial ? facts.effectiveEnd : nil)
    statement.bind(chain.common.told(originalPurchaseDate: x.originalPurchaseDate))
    chain.common.tell(appAccountToken: x.appAccountToken, &statement)
    statement.bind(chain.common.told(observedAt: sighting.first))
    statement.bind(sighting.latest == sighting.first ? nil : sighting.latest)
    statement.bind(confirmedAt)
    statement.bind(x.cancellationDate)
    statement.bind(facts.cancelledAt)
    statement.bind(facts.refundedAt)
    statement.bind(facts.upgradedAt)
    statement.bind(facts.proratedRefundMicros)
    statement.bind(facts.duplicateOf)
  }
}
