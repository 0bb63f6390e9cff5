import GRDB
import Subscriptions

/// Result of an import of notifications.
public struct NotificationSummary: Hashable, Sendable {
  public var notifications = 0
  /// Notifications that were not in the store.
  public var new = 0
  public var newTransactions = 0
  /// Receipts that became due because of them.
  public var due = 0
  /// Notifications for another app than their receipt.
  public var refused: [IngestSummary.Refusal] = []
  /// Whether the import was committed, not rolled back.
  public var isKept = false
  public init() {}
}

extension ReceiptStore {
  /// Imports notifications and the answers in them in one commit, which is rolled back if any is refused.
  /// Notifications that are already in the store are ignored.
  ///
  /// They may come in any order. A first pass, during which others may write, collects their order and facts.
  /// A second pass reads and applies them one by one. Only one page is in memory at a time.
  ///
  /// - Parameters:
  ///   - next: Returns the next page.
  ///   - leavingOutRefused: Whether to commit the others if some are refused.
  ///   - again: Reads a notification again by its place. Returns `nil` to roll the import back.
  ///   - refuse: Called with the place and reason of each refusal, which the summary omits.
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

  /// Collects the order and facts of the notifications.
  ///
  /// - Returns: `false` if the import was abandoned.
  private func learn(_ next: () -> NotificationPage, at now: Instant) throws(StoreError) -> Bool {
    // Deferred: it writes only temporary tables, so others do not wait.
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

  /// - Returns: The reason if it was refused; otherwise `nil`.
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
