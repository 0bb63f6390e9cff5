import GRDB
import Subscriptions

extension StoredLedger {
  func events(_ question: Question) throws -> [LineEvent] {
    let query = StoreQuery(db: db, question: question)
    return try query.rows(
      """
      SELECT \(StoredEvents.columns), c.original_transaction_id, c.environment, x.price_micros, x.currency,
        y.partial_refund_micros, x.storefront
      FROM (
        SELECT e.*, c.original_transaction_id, c.environment FROM events e CROSS JOIN chains c ON c.id = e.chain_id
        WHERE e.effective_at_ms > :from AND e.effective_at_ms <= :t AND \(query.environment("c.environment"))
          AND (\(query.product("e.product_id")) OR \(query.product("e.new_product_id")))
        ORDER BY e.effective_at_ms DESC, \(StoreQuery.idOrder("c.original_transaction_id")), c.environment, e.type,
          ifnull(e.transaction_id, ''), e.product_id, ifnull(e.new_product_id, ''),
          e.apple_type || ifnull('/' || e.apple_subtype, ''), ifnull(e.app_user_id, ''), e.is_family_share,
          ifnull(CAST(e.observed_after_ms AS TEXT), ''), CAST(e.observed_at_ms AS TEXT) LIMIT :limit) AS e
        JOIN chains c ON c.id = e.chain_id
        LEFT JOIN transaction_rows y ON y.id = e.transaction_row
        LEFT JOIN transaction_shapes x ON x.id = y.shape_id
      """
    ).map(Self.pricedEvent).sorted(by: LineEvent.newestFirst)
  }

  private static func pricedEvent(_ row: FetchedRow) -> LineEvent {
    var event = StoredEvents.event(row, chain: row[19], in: StoreEnvironment(row[20] as String))
    event.storefront = row[24]
    event.move(row.money(micros: 21, currency: 22), partialRefund: row[23])
    return event
  }
}
