import GRDB
import Subscriptions

/// What an import of notifications came to.
public struct NotificationSummary: Hashable, Sendable {
  public var notifications = 0
  /// Those that had not been kept before.
  public var new = 0
  public var newTransactions = 0
  /// Receipts that came due because of them.
  public var due = 0
  /// Those that were for another app than the receipt they belong to.
  public var refused: [IngestSummary.Refusal] = []
  /// Whether all of it was committed, and not undone.
  public var isKept = false
  public init() {}
}

extension ReceiptStore {
  /// Keeps notifications and takes the answers that they carried: all of them, or none where one is refused. One that was
  /// kept before changes nothing.
  ///
  /// Their order does not matter: they are taken in the order of what they say. For that they are read twice, first to learn
  /// their order and what all of them know, while others may write, and then one by one in that order, in one commit. Whatever
  /// their number, a page of them is in memory.
  ///
  /// - Parameters:
  ///   - next: the next page.
  ///   - leavingOutRefused: keep the others all the same.
  ///   - again: reads one again by its place; nil to keep nothing of it all.
  ///   - refuse: is told why one was refused, which the summary leaves out.
  public func add(
    notifications next: () -> NotificationPage, at now: Instant, leavingOutRefused: Bool = false,
    again: (ImportPlace) -> ReceivedNotification?, refuse: (ImportPlace, String) -> Void
  ) throws(StoreError) -> NotificationSummary {
    guard try learn(next, at: now) else { return NotificationSummary() }
    defer { checkpoint() }
    return try writeUnlessRolledBack("keep notifications in") { db in
      let writer = NotificationWriter(
        answers: try AnswerWriter(db: db, policy: policy, now: now), known: KnownChains(db: db))
      let order = NotificationOrder(db: db, now: now)
      defer {
        try? writer.known.tables.end()
        try? order.tables.end()
      }
      try writer.due.begin()
      defer { try? writer.due.end() }
      let known = try writer.newestReceipt()
      var summary = NotificationSummary()
      var hasRefused = false
      let isWhole = try order.forEach { place in
        guard let notification = again(place) else { return false }
        if let reason = try Self.add(notification, writer, &summary) {
          refuse(place, reason)
          hasRefused = true
        }
        if summary.notifications.isMultiple(of: Self.notificationsPerPage) {
          try writer.answers.ledger.flush()
        }
        return true
      }
      guard isWhole, !hasRefused || leavingOutRefused else { return (summary, .rollback) }
      summary.due = try writer.makeDue(after: known)
      try writer.answers.ledger.finish()
      summary.isKept = true
      return (summary, .commit)
    }
  }

  private static let notificationsPerPage = 500

  /// Keeps for the time of the import what stands where, and what is known.
  ///
  /// - Returns: false where nothing is to be kept.
  private func learn(_ next: () -> NotificationPage, at now: Instant) throws(StoreError) -> Bool {
    // Of the tables of this connection alone: nobody waits for it.
    try writeUnlessRolledBack("read notifications for", .deferred) { db in
      let (order, known) = (NotificationOrder(db: db, now: now), KnownChains(db: db))
      try order.tables.begin()
      try known.tables.begin()
      while true {
        switch next() {
        case .notifications(let page):
          for (notification, place) in page {
            try order.add(notification, at: place)
            switch notification {
            case .ofVersion1(let notification): try known.add(notification)
            case .signed(let notification): try known.add(notification)
            }
          }
        case .end: return (true, .commit)
        case .abandon: return (false, .rollback)
        }
      }
    }
  }

  /// - Returns: why it was refused.
  private static func add(
    _ notification: ReceivedNotification, _ writer: NotificationWriter, _ summary: inout NotificationSummary
  ) throws -> String? {
    summary.notifications += 1
    switch try writer.take(notification) {
    case .replayed: return nil
    case .refused(let reason), .early(let reason): return reason
    case .kept(_, let newTransactions):
      summary.new += 1
      summary.newTransactions += newTransactions
      return nil
    }
  }
}
