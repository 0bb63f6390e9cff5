import GRDB
import Subscriptions

/// Outcome of a received notification.
public enum NotificationOutcome: Hashable, Sendable {
  case kept
  /// The notification was stored before.
  case replayed
  /// Refused for a reason in one sentence, with nothing stored.
  case refused(String)
  /// Refused until this machine's clock is right, for a reason in one sentence, with nothing stored.
  case early(String)
}

extension ReceiptStore {
  /// Stores received notifications in one commit, which survives a power cut once this returns.
  ///
  /// - Returns: The outcome of each.
  /// - Throws: The reason why none was stored.
  public func receive(
    _ notifications: [ReceivedNotification], at now: Instant
  ) throws(StoreError) -> [NotificationOutcome] {
    try write("keep notifications in") { db in try take(notifications, at: now, db) }
  }

  func take(
    _ notifications: [ReceivedNotification], at now: Instant, _ db: Database
  ) throws -> [NotificationOutcome] {
    let writer = NotificationWriter(
      answers: try AnswerWriter(db: db, policy: policy, now: now), isLive: true)
    try writer.beginDue()
    let outcomes = try notifications.map { notification -> NotificationOutcome in
      switch try writer.take(notification) {
      case .kept: .kept
      case .replayed: .replayed
      case .refused(let reason): .refused(reason)
      case .early(let reason): .early(reason)
      }
    }
    try writer.makeDue()
    try writer.answers.ledger.finish()
    return outcomes
  }

  /// Whether it can be read.
  public func checkReading() throws(StoreError) {
    _ = try read("read") { try Int.fetchOne($0, sql: "SELECT count(*) FROM sweeps") }
  }

  /// Moves the write-ahead log into the file.
  public func endReceiving() { checkpoint() }
}
