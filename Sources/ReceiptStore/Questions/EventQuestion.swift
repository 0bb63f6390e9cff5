import GRDB
import Subscriptions

extension StoreQuery {
  func newestEvents() throws -> EventFigures {
    var question = question
    question.limit = min(question.limit, OverviewFigures.eventLimit)
    var query = self
    query.question = question
    return EventFigures(count: 0, rows: try query.eventRows())
  }

  /// Family-shared lines too: each event says whether it is of one.
  func events(_ facts: WindowFacts) throws -> EventFigures {
    let count = facts.whole.groups(.event, question).reduce(0) { $0 + $1.rows }
    return EventFigures(count: count, rows: try eventRows())
  }

  private func eventRows() throws -> [LineEvent] {
    try rows(
      """
      SELECT \(StoredEvents.columns), c.original_transaction_id, c.environment, x.price_micros, x.currency
      FROM (
        SELECT e.*, c.original_transaction_id, c.environment FROM \(eventsInWindow)
        ORDER BY e.effective_at_ms DESC, \(Self.idOrder("c.original_transaction_id")), c.environment, e.type,
          ifnull(e.transaction_id, ''), e.product_id, ifnull(e.new_product_id, ''),
          e.apple_type || ifnull('/' || e.apple_subtype, ''), ifnull(e.app_user_id, ''), e.is_family_share,
          ifnull(CAST(e.observed_after_ms AS TEXT), ''), CAST(e.observed_at_ms AS TEXT) LIMIT :limit) AS e
        JOIN chains c ON c.id = e.chain_id
        LEFT JOIN transaction_rows y ON y.id = e.transaction_row
        LEFT JOIN transaction_shapes x ON x.id = y.shape_id
      """
    ).map(Self.pricedEvent).sorted(by: LineEvent.newestFirst)
  }

  var eventsInWindow: String {
    """
    events e CROSS JOIN chains c ON c.id = e.chain_id
    WHERE e.effective_at_ms > :from AND e.effective_at_ms <= :to AND \(environment("c.environment"))
      AND \(product("e.product_id"))
    """
  }

  private static func pricedEvent(_ row: FetchedRow) -> LineEvent {
    var event = StoredEvents.event(row, chain: row[18], in: StoreEnvironment(row[19] as String))
    if event.priceSign != 0, let price = row.money(micros: 20, currency: 21) {
      event.price = Money(micros: price.micros * event.priceSign, currency: price.currency)
    }
    return event
  }
}
