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
  /// Keeps the notifications of an import with the answers that they carry, in one commit: all of them, or none if one is refused. One
  /// that was kept before changes nothing, and their order does not matter.
  ///
  /// - Parameters:
  ///   - next: Returns the next page; gets what was refused of the page before, by its place in that page.
  ///   - leavingOutRefused: Whether to keep the others if some are refused.
  /// - Returns: The counts, without what was refused.
  public func add(
    notifications next: ([IngestSummary.Refusal]) -> ImportPage<ReceivedNotification>, at now: Instant,
    leavingOutRefused: Bool = false
  ) throws(StoreError) -> NotificationSummary {
    defer { checkpoint() }
    return try writeUnlessRolledBack("keep notifications in") { db in
      let writer = NotificationWriter(
        answers: try AnswerWriter(db: db, policy: policy, now: now), isLive: false)
      try writer.beginDue()
      let known = try writer.newestReceipt()
      var summary = NotificationSummary()
      var refused: [IngestSummary.Refusal] = []
      var hasRefused = false
      while true {
        switch next(refused) {
        case .items(let page):
          refused = []
          for (index, notification) in page.enumerated() {
            guard let reason = try Self.add(notification, writer, &summary) else { continue }
            refused.append(.init(index: index, reason: reason))
            hasRefused = true
          }
          try writer.answers.ledger.flush()
        case .end:
          if hasRefused, !leavingOutRefused { return (summary, .rollback) }
          summary.due = try writer.makeDue(after: known)
          try writer.answers.ledger.finish()
          summary.isKept = true
          return (summary, .commit)
        case .abandon: return (summary, .rollback)
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
