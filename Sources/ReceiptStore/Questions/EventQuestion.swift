import GRDB
import Subscriptions

extension StoredLedger {
  func events(_ question: Question) throws -> [LineEvent] {
    var newest = NewestEvents(question)
    let feed = StoredFeed(shapes: AttributeDictionary(db: db), db: db)
    var statement = try BoundStatement(StoreQuery.newestEvents(question, db), db)
    statement.bind(question.window.from)
    statement.bind(question.at)
    for product in question.products.sorted() { statement.bind(product) }
    statement.bind(newest.limit)
    var transactions = try EventTransactions(db)
    try statement.forEach { row in
      guard let chain: OriginalTransactionID = row.text(0),
        var event = try feed.event(row, observedAt: row.instant(8))
      else { return }
      event.originalTransactionID = chain
      event.environment = StoreEnvironment(row.text(7) ?? "")
      if row.isNumber(9) {
        try transactions.complete(&event, from: row[9])
      } else {
        event.transactionID = row.text(9)
      }
      newest.add(event)
    }
    return newest.listed
  }
}

extension StoreQuery {
  /// Returns the query for events that may be in the list. For each chain in it, this includes all events of
  /// one instant, since SQL does not know their order.
  ///
  /// Very many events share an instant after an import. So indexes and chain ids select the events, and the
  /// rows of others are not read unless products are selected.
  package static func newestEvents(_ question: Question, _ db: Database) -> String {
    let query = StoreQuery(db: db, question: question)
    let isOfAll = question.products.isEmpty
    let shapes = isOfAll ? "" : "CROSS JOIN event_shapes s ON s.id = e.shape_id"
    let condition =
      isOfAll ? "1" : "(\(query.product("s.product_id")) OR \(query.product("s.new_product_id")))"
    return """
      SELECT c.original_transaction_id, \(StoredFeed.columns), c.environment, c.common_observed_at_ms, e.transaction_id
      FROM (
          SELECT DISTINCT chain_id, effective_at_ms FROM (
            SELECT e.chain_id, e.effective_at_ms FROM event_rows e \(shapes) CROSS JOIN chains c ON c.id = e.chain_id
            WHERE e.effective_at_ms > :from AND e.effective_at_ms <= :t AND \(query.environment("c.environment"))
              AND \(condition)
            ORDER BY e.effective_at_ms DESC, \(StoreQuery.idOrder("c.original_transaction_id")), c.environment
            LIMIT :limit)
        ) l CROSS JOIN event_rows e ON e.chain_id = l.chain_id AND e.effective_at_ms = l.effective_at_ms \(shapes)
        CROSS JOIN chains c ON c.id = e.chain_id
      WHERE \(condition)
      """
  }
}

private struct EventTransactions {
  private var statement: BoundStatement
  private var terms: BoundStatement

  init(_ db: Database) throws {
    statement = try BoundStatement(
      """
      SELECT y.transaction_id, x.storefront, x.price_micros, x.currency FROM transaction_rows y
        LEFT JOIN transaction_shapes x ON x.id = y.shape_id WHERE y.id = ?
      """, db)
    // Terms of all ids of the purchase (METRICS §1.3). A refund that another id dates differently takes the
    // purchase's date.
    terms = try BoundStatement(
      """
      SELECT s.signed_at_ms,
        iif(s.revocation_date_ms = x.cancellation_date_ms, ifnull(k.cancelled_at_ms, s.revocation_date_ms), s.revocation_date_ms),
        s.revocation_signed_at_ms, s.revocation_type, s.revocation_percentage, s.earlier_revocations
      FROM transaction_rows k
        JOIN transaction_rows x ON x.chain_id = k.chain_id AND (x.id = k.id OR x.duplicate_of = k.id)
        JOIN signed_terms s ON s.transaction_row = x.id
      WHERE k.id = ?
      """, db)
  }

  mutating func complete(_ event: inout LineEvent, from rowID: Int64) throws {
    var price: Money?
    statement.bind(rowID)
    try statement.forEach { row in
      event.transactionID = row.text(0)
      event.storefront = row.text(1)
      guard let micros = row.amount(2), let currency: CurrencyCode = row.text(3) else { return }
      price = Money(micros: micros, currency: currency)
    }
    guard let price else { return }
    var told: SignedTerms?
    if event.takesBack || event.type == .refundReversed {
      terms.bind(rowID)
      try terms.forEach { row in
        if told == nil { told = SignedTerms(signedAt: row.instant(0) ?? .distantPast) }
        told?.add(
          revocation: (row.instant(1), row.instant(2), row.text(3), row.number(4)), earlier: row.text(5))
      }
    }
    event.move(price, told)
  }
}
