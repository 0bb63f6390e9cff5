import GRDB
import Subscriptions

extension StoredLedger {
  func events(_ question: Question) throws -> [LineEvent] {
    guard question.limit > 0 else { return [] }
    let query = StoreQuery(db: db, question: question)
    let feed = StoredFeed(shapes: Shapes(db: db), db: db)
    var statement = try BoundStatement(
      """
      SELECT c.original_transaction_id, \(StoredFeed.columns), c.environment, c.common_observed_at_ms, e.transaction_id
      FROM event_rows e CROSS JOIN event_shapes s ON s.id = e.shape_id CROSS JOIN chains c ON c.id = e.chain_id
      WHERE e.effective_at_ms > :from AND e.effective_at_ms <= :t AND \(query.environment("c.environment"))
        AND (\(query.product("s.product_id")) OR \(query.product("s.new_product_id")))
      ORDER BY e.effective_at_ms DESC
      """, db)
    statement.bind(question.window.from)
    statement.bind(question.at)
    for product in question.products.sorted() { statement.bind(product) }
    var transactions = try EventTransactions(db)
    var newest = NewestByChain(limit: question.limit)
    try statement.read(while: { row in
      guard let effectiveAt = row.instant(2), let chain: OriginalTransactionID = row.text(0) else {
        return true
      }
      guard !newest.isComplete(before: effectiveAt) else { return false }
      guard newest.mayHold(effectiveAt, chain),
        var event = try feed.event(row, observedAt: row.instant(8))
      else { return true }
      event.originalTransactionID = chain
      event.environment = StoreEnvironment(row.text(7) ?? "")
      if row.isNumber(9) {
        try transactions.complete(&event, from: row[9])
      } else {
        event.transactionID = row.text(9)
      }
      newest.add(event)
      return true
    })
    return newest.sorted()
  }
}

/// What the events of a list have of their transactions.
private struct EventTransactions {
  private var statement: BoundStatement

  init(_ db: Database) throws {
    statement = try BoundStatement(
      """
      SELECT y.transaction_id, x.storefront, x.price_micros, x.currency, y.partial_refund_micros
      FROM transaction_rows y LEFT JOIN transaction_shapes x ON x.id = y.shape_id WHERE y.id = ?
      """, db)
  }

  mutating func complete(_ event: inout LineEvent, from rowID: Int64) throws {
    statement.bind(rowID)
    try statement.forEach { row in
      event.transactionID = row.text(0)
      event.storefront = row.text(1)
      guard let micros = row.number(2), let currency: CurrencyCode = row.text(3) else { return }
      event.move(Money(micros: micros, currency: currency), partialRefund: row.number(4))
    }
  }
}

/// The first events of a list, of events that come the newest first but those of one instant in no order.
///
/// After an import very many share an instant: of those that come after the last chain that is listed no event is made.
private struct NewestByChain {
  let limit: Int
  private var events: [LineEvent] = []
  private var last: LineEvent?

  init(limit: Int) { self.limit = limit }

  /// Whether nothing that happened at `t` or before is listed.
  func isComplete(before t: Instant) -> Bool { events.count >= limit && t < events[limit - 1].effectiveAt }

  func mayHold(_ t: Instant, _ chain: OriginalTransactionID) -> Bool {
    guard let last, t == last.effectiveAt else { return true }
    return chain <= last.originalTransactionID
  }

  mutating func add(_ event: LineEvent) {
    events.append(event)
    // Not each time: to sort takes long.
    guard events.count / 2 >= limit else { return }
    events = sorted()
    last = events.last
  }

  func sorted() -> [LineEvent] { Array(events.sorted(by: LineEvent.newestFirst).prefix(limit)) }
}
