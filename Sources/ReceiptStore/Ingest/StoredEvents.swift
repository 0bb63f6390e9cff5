import GRDB
import Subscriptions

/// The feed of one line as it stands in the table.
struct StoredEvents {
  let lineID: Int64
  let db: Database

  static let columns = """
    e.id, e.type, e.apple_type, e.reason, e.transaction_id, e.product_id, e.new_product_id, e.effective_at_ms,
    e.observed_at_ms, e.observed_after_ms
    """

  static func event(_ row: FetchedRow, chain: OriginalTransactionID) -> LineEvent? {
    guard let type = LineEvent.Kind(rawValue: row[1]) else { return nil }
    return LineEvent(
      type, apple: row[2], reason: row[3], chain: chain, transaction: row[4], product: row[5],
      newProduct: row[6],
      effectiveAt: row[7], observedAt: row[8], observedAfter: row[9])
  }

  func write(_ events: [LineEvent]) throws {
    let fetch = try db.cachedStatement(sql: "SELECT \(Self.columns) FROM events e WHERE e.line_id = ?")
    let chain = events.first?.originalTransactionId ?? OriginalTransactionID("")
    let new = Set(events)
    var known: Set<LineEvent> = []
    for row in try FetchedRow.fetchAll(fetch, arguments: [lineID]) {
      let event = Self.event(row, chain: chain)
      if let event, new.contains(event), known.insert(event).inserted { continue }
      try db.cachedStatement(sql: "DELETE FROM events WHERE id = ?").execute(arguments: [row[0] as Int64])
    }
    for event in events where known.insert(event).inserted { try insert(event) }
  }

  private func insert(_ event: LineEvent) throws {
    let statement = try db.cachedStatement(
      sql: """
        INSERT INTO events (line_id, type, apple_type, reason, transaction_id, product_id, new_product_id,
          effective_at_ms, observed_at_ms, observed_after_ms)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """)
    try statement.execute(arguments: [
      lineID, event.type.rawValue, event.appleType, event.reason, event.transactionId, event.productId,
      event.newProductId, event.effectiveAtMs, event.observedAtMs, event.observedAfterMs,
    ])
  }
}
