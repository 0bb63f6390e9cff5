import GRDB
import Subscriptions

/// What became of one notification that was received.
public enum NotificationOutcome: Hashable, Sendable {
  case kept
  /// It had been kept before.
  case replayed
  /// Nothing of it was kept, for a reason in one sentence.
  case refused(String)
  /// Nothing of it was kept either, but it may be once this machine's clock is right: the reason in one sentence.
  case early(String)
}

extension ReceiptStore {
  /// Keeps notifications as they come in, in one commit. When it returns they outlast a power cut.
  ///
  /// - Returns: what became of each.
  /// - Throws: why none of them was kept.
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

  /// After this nothing hangs on the log any more.
  public func endReceiving() { checkpoint() }
}
