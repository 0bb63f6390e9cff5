import GRDB
import Subscriptions

/// What an import of notifications came to.
public struct NotificationSummary: Hashable, Sendable {
  public var notifications = 0
  /// Those that had not been kept before.
  public var new = 0
  public var newTransactions = 0
  /// Receipts that are to be asked about at once because of them.
  public var due = 0
  /// Those that were for another app than the receipt they belong to.
  public var refused: [IngestSummary.Refusal] = []
  public init() {}
}

extension ReceiptStore {
  /// Keeps notifications and takes the answers that they carried: all of them, or none where one is refused. One that was
  /// kept before changes nothing.
  ///
  /// Their order does not matter: they are taken in the order of what they say.
  ///
  /// - Parameter leavingOutRefused: keep the others all the same.
  public func add(
    _ notifications: [ImportedNotification], at now: Instant, leavingOutRefused: Bool = false
  ) throws(StoreError) -> NotificationSummary {
    try write("keep notifications in") { db in
      let writer = NotificationWriter(
        answers: try AnswerWriter(db: db, policy: policy, now: now),
        known: try KnownChains(notifications, db))
      var summary = NotificationSummary()
      try db.inSavepoint {
        var due: Set<Int64> = []
        for index in Self.order(notifications, at: now) {
          try Self.add(notifications[index], index, writer, &summary, &due)
        }
        summary.due = try writer.makeDue(due)
        summary.refused.sort { $0.index < $1.index }
        try writer.answers.ledger.finish()
        return summary.refused.isEmpty || leavingOutRefused ? .commit : .rollback
      }
      return summary
    }
  }

  private static func add(
    _ notification: ImportedNotification, _ index: Int, _ writer: NotificationWriter,
    _ summary: inout NotificationSummary, _ due: inout Set<Int64>
  ) throws {
    summary.notifications += 1
    switch try writer.take(notification) {
    case .replayed: break
    case .refused(let reason): summary.refused.append(.init(index: index, reason: reason))
    case .kept(let chain, let newTransactions):
      summary.new += 1
      summary.newTransactions += newTransactions
      if notification.asksForValidation { due.insert(chain) }
    }
  }

  /// By when they were received or the latest instant that they show, whatever order they came in.
  private static func order(_ notifications: [ImportedNotification], at now: Instant) -> [Int] {
    let instants = notifications.map { $0.observedAt ?? $0.evidence(by: now) ?? now }
    return notifications.indices.sorted {
      (instants[$0], notifications[$0].digest, $0) < (instants[$1], notifications[$1].digest, $1)
    }
  }
}
