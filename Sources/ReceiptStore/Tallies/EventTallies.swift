import GRDB
import Subscriptions

/// The events in the hours that a window cuts, which no sum tells.
struct EventTallies {
  let query: StoreQuery

  func marks(besideWholeHoursOf window: Window) throws -> [TallyMark] {
    let (hour, last) = (TallyGrain.hour, window.to)
    let first = hour.start(of: window.from + 1)
    let (begun, ended) = (first > window.from ? first : first + Milliseconds.hour, hour.start(of: last + 1))
    guard begun < ended else { return try marks(from: window.from + 1, through: last) }
    return try marks(from: window.from + 1, through: begun - 1) + marks(from: ended, through: last)
  }

  private func marks(from start: Instant, through end: Instant) throws -> [TallyMark] {
    guard start <= end else { return [] }
    // What an event's product is, its shape tells: a look-up for each of very many.
    let (product, events) =
      query.question.products.isEmpty ? ("''", "event_rows") : ("e.product_id", "events")
    let rows = try FetchedRow.fetchAll(
      query.db.cachedStatement(
        sql: """
          SELECT c.environment, \(product), e.effective_at_ms FROM \(events) AS e CROSS JOIN chains c ON c.id = e.chain_id
          WHERE e.effective_at_ms >= ? AND e.effective_at_ms <= ?
          """), arguments: [start, end])
    return rows.map { row in
      TallyMark(row[2], TallyKey(.event, StoreEnvironment(row[0] as String), product: row[1]))
    }
  }
}
