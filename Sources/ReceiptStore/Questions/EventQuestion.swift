import GRDB
import Subscriptions

extension StoredLedger {
  func events(_ question: Question) throws -> [LineEvent] {
    var newest = NewestEvents(question)
    let shapes = AttributeDictionary(db: db)
    let values: [any DatabaseValueConvertible] =
      [question.window.from, question.at] + question.products.sorted() + [newest.limit]
    try db.forEach(StoreQuery.newestEvents(question, db), StatementArguments(values)) { row in
      guard let chain: OriginalTransactionID = row.text(0), var stored = try StoredEvent(row, from: 2, shapes)
      else { return }
      stored.event.originalTransactionID = chain
      stored.event.environment = StoreEnvironment(row.text(1) ?? "")
      try complete(&stored)
      newest.add(stored.event)
    }
    return newest.listed
  }

  /// Adds the price and storefront of an event's transaction.
  private func complete(_ stored: inout StoredEvent) throws {
    guard let id = stored.event.transactionID else { return }
    var found: (rowID: Int64, price: Money)?
    try db.forEach(
      """
      SELECT y.id, x.storefront, x.price_micros, x.currency FROM transaction_rows y
        LEFT JOIN transaction_shapes x ON x.id = y.shape_id WHERE y.transaction_id = ? AND y.chain_id = ?
      """, [id, stored.chainID]
    ) { row in
      stored.event.storefront = row.text(1)
      found = row.money(2).map { (row[0], $0) }
    }
    guard let found else { return }
    var told: SignedTerms?
    if stored.event.takesBack || stored.event.type == .refundReversed {
      // Combine the terms of all ids of the purchase (METRICS §1.3). If an id dates a refund differently, use
      // the date of the purchase.
      try db.forEach(
        """
        SELECT s.signed_at_ms,
          iif(s.revocation_date_ms = x.cancellation_date_ms, ifnull(k.cancelled_at_ms, s.revocation_date_ms), s.revocation_date_ms),
          s.revocation_signed_at_ms, s.revocation_type, s.revocation_percentage, s.earlier_revocations
        FROM transaction_rows k
          JOIN transaction_rows x ON x.chain_id = k.chain_id AND (x.id = k.id OR x.duplicate_of = k.id)
          JOIN signed_terms s ON s.transaction_row = x.id
        WHERE k.id = ?
        """, [found.rowID]
      ) { row in
        if told == nil { told = SignedTerms(signedAt: row.instant(0) ?? .distantPast) }
        told?.add(
          revocation: (row.instant(1), row.instant(2), row.text(3), row.number(4)), earlier: row.text(5))
      }
    }
    stored.event.move(found.price, told)
  }
}

extension StoreQuery {
  /// Returns the query for events that may be in the list. If it includes an event, it includes all events of
  /// the same chain and instant, because SQL cannot sort them.
  ///
  /// After an import, very many events share an instant. So indexes and chain ids select the events, and
  /// other event rows are read only if products are selected.
  package static func newestEvents(_ question: Question, _ db: Database) -> String {
    let query = StoreQuery(db: db, question: question)
    let isOfAll = question.products.isEmpty
    let shapes = isOfAll ? "" : "CROSS JOIN event_shapes s ON s.id = e.shape_id"
    let condition =
      isOfAll ? "1" : "(\(query.product("s.product_id")) OR \(query.product("s.new_product_id")))"
    return """
      SELECT c.original_transaction_id, c.environment, \(StoredEvent.sql.columns.map { "e." + $0 }.joined(separator: ", "))
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
