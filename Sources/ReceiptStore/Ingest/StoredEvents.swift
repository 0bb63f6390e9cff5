import GRDB
import Subscriptions

struct StoredEvents {
  let chain: ChainRecord
  let book: RollupWriter
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

struct StoredFeed {
  let shapes: AttributeDictionary
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
      // The number of a row of another chain equals no id, so that such an event is written anew.
      event.transactionID =
        row.isNumber(8) ? ids.ids[row[8]] ?? TransactionID("row \(row[8] as Int64)") : row.text(8)
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

/// Part of an event that is independent of customer and date.
struct EventShape: FetchableShape {
  var event: LineEvent

  static let table = "event_shapes"
  static let columns = [
    "type", "apple_type", "apple_subtype", "reason", "product_id", "new_product_id", "period_type",
    "is_trial_conversion", "is_family_share", "is_told_by_notification_alone", "notification_type", "flow",
  ]

  func bind(to values: inout some ColumnValues) {
    values.bind(event.type.rawValue)
    values.bind(event.appleName.type)
    values.bind(event.appleName.subtype)
    values.bind(event.reason)
    values.bind(event.productID)
    values.bind(event.newProductID)
    values.bind(event.periodType)
    values.bind(event.isTrialConversion)
    values.bind(event.isFamilyShare)
    values.bind(event.isToldByNotificationAlone)
    values.bind(event.notificationType?.rawValue)
    values.bind(event.flow?.rawValue)
  }
}

extension EventShape {
  init(_ row: BoundStatement.Columns) {
    event = LineEvent(
      LineEvent.Kind(row.text(0) ?? ""), apple: "", reason: row.text(3), environment: .production,
      chain: OriginalTransactionID(""), product: ProductID(row.text(4) ?? ""), newProduct: row.text(5),
      effectiveAt: .distantPast, observedAt: .distantPast)
    event.appleName.type = row.text(1) ?? ""
    event.appleName.subtype = row.text(2)
    event.periodType = row.text(6)
    event.isTrialConversion = row.isTrue(7)
    event.isFamilyShare = row.isTrue(8)
    event.isToldByNotificationAlone = row.isTrue(9)
    event.notificationType = row.text(10)
    event.flow = row.value(11)
  }
}
