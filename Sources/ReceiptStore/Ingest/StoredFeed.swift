import GRDB
import Subscriptions

struct StoredFeed {
  let shapes: Shapes
  let db: Database

  struct Entry: Sendable {
    /// Number among the events of its chain.
    var place: Int64
    /// Event without the price of its transaction.
    var event: LineEvent
  }

  func fetch(of chains: [ChainEvidence]) throws -> [[Entry]] {
    var feeds = [[Entry]](repeating: [], count: chains.count)
    var ids: (of: Int, ids: [Int64: TransactionID]) = (-1, [:])
    try ChainPage(chains.map(\.record)).forEach(
      """
      SELECT e.chain_id, \(Self.columns), e.place, e.transaction_id FROM event_rows e
      WHERE e.chain_id BETWEEN ? AND ? ORDER BY e.chain_id, e.place
      """, db
    ) { place, row in
      let chain = chains[place]
      guard var event = try event(row, observedAt: chain.record.common.observedAt) else { return }
      if ids.of != place { ids = (place, chain.transactionIDs) }
      event.environment = chain.record.environment
      event.originalTransactionID = chain.record.original
      event.transactionID = row.isNumber(8) ? ids.ids[row[8]] : row.text(8)
      feeds[place].append(Entry(place: Int64(row.count(7)), event: event))
    }
    return feeds
  }

  /// Columns of `event_rows e` that `event` reads after a first column.
  static let columns = """
    e.shape_id, e.effective_at_ms, e.observed_at_ms, e.observed_after_ms, e.app_user_id, e.notified_at_ms
    """

  /// Returns the event of a row without its chain and transaction, or `nil` if its shape is missing.
  ///
  /// - Parameter common: First sighting of the chain, for a row that omits it.
  func event(_ row: BoundStatement.Columns, observedAt common: Instant?) throws -> LineEvent? {
    guard var event = try shapes.shape(numbered: row[1], EventShape.self)?.shape.event else { return nil }
    event.effectiveAt = row.instant(2) ?? .distantPast
    event.observedAt = row.instant(3) ?? common ?? .distantPast
    event.observedAfter = row.instant(4)
    event.appUserID = row.text(5)
    event.notifiedAt = row.instant(6)
    return event
  }
}

extension ChainEvidence {
  fileprivate var transactionIDs: [Int64: TransactionID] {
    Dictionary(
      transactions.map { ($0.rowID, $0.transaction.transactionID) }, uniquingKeysWith: { first, _ in first })
  }
}

struct FeedDifference: Sendable {
  var kept: [LineEvent] = []
  var gone: [StoredFeed.Entry] = []
  var new: [LineEvent]
  /// Last place in use.
  var last: Int64 = 0

  /// - Parameter feed: Distinct events.
  init(_ feed: [LineEvent], standing: [StoredFeed.Entry]) {
    new = feed
    guard !standing.isEmpty else { return }
    // Usually the stored events are in the order in which they are derived.
    if standing.count == feed.count, zip(standing, feed).allSatisfy({ $0.event == $1 }) {
      (kept, new) = (feed, [])
      return
    }
    let told = Set(feed)
    var known: Set<LineEvent> = []
    for entry in standing {
      last = max(last, entry.place)
      if told.contains(entry.event), known.insert(entry.event).inserted {
        kept.append(entry.event)
      } else {
        gone.append(entry)
      }
    }
    new = feed.filter { !known.contains($0) }
  }
}
