import GRDB
import Subscriptions

extension StoredLedger {
  func events(_ question: Question) throws -> [LineEvent] {
    let query = StoreQuery(db: db, question: question)
    let feed = StoredFeed(shapes: Shapes(db: db), db: db)
    var statement = try BoundStatement(
      """
      SELECT c.original_transaction_id, \(StoredFeed.columns), c.environment, c.common_observed_at_ms,
        iif(typeof(e.transaction_id) = 'integer', y.transaction_id, e.transaction_id), x.storefront,
        x.price_micros, x.currency, y.partial_refund_micros
      FROM event_rows e CROSS JOIN event_shapes s ON s.id = e.shape_id CROSS JOIN chains c ON c.id = e.chain_id
        LEFT JOIN transaction_rows y ON y.id = iif(typeof(e.transaction_id) = 'integer', e.transaction_id, NULL)
        LEFT JOIN transaction_shapes x ON x.id = y.shape_id
      WHERE e.effective_at_ms > :from AND e.effective_at_ms <= :t AND \(query.environment("c.environment"))
        AND (\(query.product("s.product_id")) OR \(query.product("s.new_product_id")))
      ORDER BY e.effective_at_ms DESC
      """, db)
    statement.bind(question.window.from)
    statement.bind(question.at)
    for product in question.products.sorted() { statement.bind(product) }
    var events: [LineEvent] = []
    try statement.read(while: { row in
      guard var event = try feed.event(row, observedAt: row.instant(8)) else { return true }
      // Several may happen at the instant at which the list is cut off.
      if events.count >= question.limit, events.last?.effectiveAt != event.effectiveAt { return false }
      event.originalTransactionID = row.text(0) ?? event.originalTransactionID
      event.environment = StoreEnvironment(row.text(7) ?? "")
      event.transactionID = row.text(9)
      event.storefront = row.text(10)
      if let micros = row.number(11), let currency: CurrencyCode = row.text(12) {
        event.move(Money(micros: micros, currency: currency), partialRefund: row.number(13))
      }
      events.append(event)
      return true
    })
    return Array(events.sorted(by: LineEvent.newestFirst).prefix(question.limit))
  }
}
