import GRDB
import Subscriptions

/// Event of the feed, without the price and storefront of its transaction.
struct StoredEvent: StoredRow {
  private(set) var chainID: Int64 = 0
  /// Sequence number of the event within its chain.
  private(set) var place: Int64 = 0
  private var shapeID: Int64 = 0
  var event = EventShape().event

  /// Factor in event ids: an id is the chain's id × this factor + `place`.
  static let placesOfChain: Int64 = 1 << 24

  static let sql = RowSQL(Self(), "event_rows", keys: 2)

  mutating func map(_ columns: inout some ColumnMapper) {
    columns.map("chain_id", &chainID)
    columns.map("place", &place, in: StoredNumber.counts)
    columns.map("shape_id", &shapeID)
    columns.map("transaction_id", &event.transactionID)
    columns.map("effective_at_ms", &event.effectiveAt)
    columns.map("observed_at_ms", &event.observedAt)
    columns.map("observed_after_ms", &event.observedAfter)
    columns.map("app_user_id", &event.appUserID)
    columns.map("notified_at_ms", &event.notifiedAt)
  }

  /// Reads an event without the id and environment of its chain; `nil` if its shape is missing.
  init?(_ row: BoundStatement.Columns, from first: CInt = 0, _ shapes: AttributeDictionary) throws {
    guard let shape = try shapes.shape(numbered: row[first + 2], EventShape.self) else { return nil }
    event = shape.event
    read(row, from: first)
  }

  private init(_ event: LineEvent, at place: Int64, of chain: ChainRecord, shape: Int64) {
    (self.event, self.place, chainID, shapeID) = (event, place, chain.id, shape)
  }

  static func fetch(
    of chains: [ChainEvidence], _ shapes: AttributeDictionary, _ db: Database
  ) throws -> [[StoredEvent]] {
    try ChainPage(chains.map(\.record)).rows(
      "\(sql.select) FROM event_rows WHERE chain_id BETWEEN ? AND ? ORDER BY chain_id, place", db
    ) { chain, row -> StoredEvent? in
      guard var stored = try StoredEvent(row, shapes) else { return nil }
      (stored.event.environment, stored.event.originalTransactionID) = (chain.environment, chain.original)
      return stored
    }
  }

  /// Updates the stored feed, and returns the numbers of new renewals and refunds.
  ///
  /// An event is not new if only its dates have changed.
  static func write(
    _ difference: FeedDifference, of chain: ChainRecord, _ book: RollupWriter, _ db: Database, isCounted: Bool
  ) throws -> AnswerNews {
    if !isCounted { for event in difference.kept { try book.add(event.fact) } }
    var gone: Set<Identity> = []
    for stored in difference.gone {
      if isCounted { try book.add(stored.event.fact, times: -1) }
      try stored.delete(db)
      gone.insert(Identity(stored.event))
    }
    var news = AnswerNews()
    for (event, place) in zip(difference.new, (difference.last + 1)...) {
      let shape = try book.shapes.number(of: EventShape(event: event))
      try StoredEvent(event, at: place, of: chain, shape: shape).insert(db)
      try book.add(event.fact)
      guard !gone.contains(Identity(event)) else { continue }
      if event.type == .renewal { news.renewals += 1 }
      if event.takesBack { news.refunds += 1 }
    }
    return news
  }

  /// Identity of an event, independent of its dates.
  private struct Identity: Hashable {
    var type: LineEvent.Kind
    var reason: String?
    var transaction: TransactionID?
    var product: ProductID

    init(_ event: LineEvent) {
      (type, reason, transaction, product) = (event.type, event.reason, event.transactionID, event.productID)
    }
  }
}

extension StoredEvent {
  init() {}
}

struct FeedDifference: Sendable {
  var kept: [LineEvent] = []
  var gone: [StoredEvent] = []
  var new: [LineEvent]
  var last: Int64 = 0

  init(_ feed: [LineEvent], standing: [StoredEvent]) {
    new = feed
    guard !standing.isEmpty else { return }
    // Usually the derived events equal the stored ones, in the same order.
    if standing.count == feed.count, zip(standing, feed).allSatisfy({ $0.event == $1 }) {
      (kept, new) = (feed, [])
      return
    }
    let derived = Set(feed)
    var known: Set<LineEvent> = []
    for entry in standing {
      last = max(last, entry.place)
      if derived.contains(entry.event), known.insert(entry.event).inserted {
        kept.append(entry.event)
      } else {
        gone.append(entry)
      }
    }
    new = feed.filter { !known.contains($0) }
  }
}

/// Columns of an event that do not depend on the customer or on dates.
struct EventShape: StoredRow {
  var event = LineEvent(
    LineEvent.Kind(""), apple: "", environment: .production, chain: OriginalTransactionID(""),
    product: ProductID(""), effectiveAt: .distantPast, observedAt: .distantPast)

  static let sql = RowSQL(Self(), "event_shapes")

  mutating func map(_ columns: inout some ColumnMapper) {
    columns.map("type", &event.type)
    columns.map("apple_type", &event.appleName.type)
    columns.map("apple_subtype", &event.appleName.subtype)
    columns.map("reason", &event.reason)
    columns.map("product_id", &event.productID)
    columns.map("new_product_id", &event.newProductID)
    columns.map("period_type", &event.periodType)
    columns.map("is_trial_conversion", &event.isTrialConversion)
    columns.map("is_family_share", &event.isFamilyShare)
    columns.map("is_told_by_notification_alone", &event.isNotifiedOnly)
    columns.map("notification_type", &event.notificationType)
    columns.map("flow", &event.flow)
  }
}
