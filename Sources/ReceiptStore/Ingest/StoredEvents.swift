import GRDB
import Subscriptions

struct StoredEvents {
  let chain: ChainRecord
  let book: LedgerBook
  let db: Database

  /// Updates the stored feed.
  ///
  /// - Parameters:
  ///   - rowIDs: Row numbers of the chain's transactions.
  ///   - isCounted: Whether the sums include the stored events.
  /// - Returns: Additions, without events that only became known at another time.
  func write(
    _ difference: FeedDifference, rowIDs: [TransactionID: Int64], isCounted: Bool
  ) throws -> AnswerNews {
    if !isCounted { for event in difference.kept { try book.add(event.fact) } }
    var gone: Set<Told> = []
    for entry in difference.gone {
      if isCounted { try book.add(entry.event.fact, times: -1) }
      try db.cachedStatement(sql: "DELETE FROM event_rows WHERE chain_id = ? AND place = ?")
        .execute(arguments: [chain.id, entry.place])
      gone.insert(Told(entry.event))
    }
    var news = AnswerNews()
    guard !difference.new.isEmpty else { return news }
    var insertion = try BoundStatement(Self.insertion, db)
    var last = difference.last
    for event in difference.new {
      last += 1
      try insert(event, at: last, rowIDs, &insertion)
      try book.add(event.fact)
      guard !gone.contains(Told(event)) else { continue }
      if event.type == .renewal { news.renewals += 1 }
      if event.takesBack { news.refunds += 1 }
    }
    return news
  }

  /// Identity of an event, independent of when it was learnt.
  private struct Told: Hashable {
    var type: LineEvent.Kind
    var reason: String?
    var transaction: TransactionID?
    var product: ProductID

    init(_ event: LineEvent) {
      (type, reason, transaction, product) = (
        event.type, event.reason, event.transactionID, event.productID
      )
    }
  }

  private func insert(
    _ event: LineEvent, at place: Int64, _ rowIDs: [TransactionID: Int64], _ statement: inout BoundStatement
  ) throws {
    statement.bind(chain.id)
    statement.bind(place)
    statement.bind(try book.shapes.number(of: EventShape(event: event)))
    if let row = event.transactionID.flatMap({ rowIDs[$0] }) {
      statement.bind(row)
    } else {
      statement.bind(event.transactionID)
    }
    statement.bind(event.effectiveAt)
    statement.bind(chain.common.told(observedAt: event.observedAt))
    statement.bind(event.observedAfter)
    statement.bind(event.appUserID)
    statement.bind(event.notifiedAt)
    try statement.execute()
  }

  private static let insertion = """
    INSERT INTO event_rows (chain_id, place, shape_id, transaction_id, effective_at_ms, observed_at_ms,
      observed_after_ms, app_user_id, notified_at_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
    """

  /// Number of an event = its chain's number × this + its place in the chain.
  static let placesOfChain: Int64 = 1 << 24
}
