import Subscriptions

/// A page of a customer's history: *App Store Server API › HistoryResponse*.
struct HistoryPage: Sendable {
  let rows: [LifeRow]
  let revision: Revision
  let hasMore: Bool

  static let size = 20

  /// - Throws: 4000005 where the revision is nobody's, or another customer's.
  init(
    of life: Life, _ subscriber: Subscriber, _ query: HistoryQuery, at now: Instant
  ) throws(FakeServerAPIError) {
    let history = life.history(at: now)
    let beginning = Revision.beginning(of: subscriber)
    if let revision = query.revision, revision != beginning {
      let row = history.first { $0.row.transaction.transactionID.rawValue == revision.transactionID }
      guard let row, revision.modified <= now, row.row.changed(at: revision.modified) else {
        throw .invalidRequestRevision
      }
    }
    let wanted = history.filter { $0.row.transaction(at: now).map(query.includes) ?? false }
    let after =
      query.revision.map { revision in
        wanted.filter {
          query.isDescending && revision != beginning ? $0.revision < revision : $0.revision > revision
        }
      } ?? wanted
    let ordered = query.isDescending ? after.reversed() : after
    let page = ordered.prefix(Self.size)
    rows = page.map(\.row)
    revision = page.last?.revision ?? query.revision ?? beginning
    hasMore = ordered.count > page.count
  }
}
