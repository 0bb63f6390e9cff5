import GRDB
import Subscriptions

extension Asking {
  func newestEvents() throws -> EventFigures {
    var question = question
    question.limit = min(question.limit, OverviewFigures.eventLimit)
    return try Asking(db: db, question: question, catalog: catalog).events()
  }

  func events() throws -> EventFigures {
    let inWindow = """
      events e JOIN lines l ON l.id = e.line_id JOIN chains c ON c.id = l.chain_id
      WHERE e.effective_at_ms > :from AND e.effective_at_ms <= :to AND \(environment("c.environment"))
        AND NOT l.is_family_shared AND \(product("e.product_id"))
      """
    let count: Int = try rows("SELECT count(*) FROM \(inWindow)").first?[0] ?? 0
    let rows = try rows(
      """
      SELECT \(StoredEvents.columns), c.original_transaction_id FROM \(inWindow)
      ORDER BY e.effective_at_ms DESC, \(Self.idOrder("c.original_transaction_id")), e.type,
        ifnull(e.transaction_id, ''), e.product_id, ifnull(e.new_product_id, ''), e.apple_type LIMIT :limit
      """)
    return EventFigures(
      count: count, rows: rows.compactMap { StoredEvents.event($0, chain: $0["original_transaction_id"]) })
  }
}
