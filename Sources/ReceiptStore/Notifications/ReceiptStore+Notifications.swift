import GRDB
import Subscriptions

extension ReceiptStore {
  /// Imports notifications and the answers in them, in one commit; rolls back if a notification is refused.
  ///
  /// With `leavingOutRefused`, only the refused notifications are left out. A notification that is already
  /// stored changes nothing. The order of notifications does not matter.
  ///
  /// - Parameter next: Receives the refusals of the previous page, with indexes into that page; returns the
  ///   next page.
  /// - Returns: A summary without the refusals.
  public func add(
    notifications next: ([ImportSummary.Refusal]) -> ImportPage<ReceivedNotification>, at now: Instant,
    leavingOutRefused: Bool = false
  ) throws(StoreError) -> ImportSummary {
    defer { checkpoint() }
    return try writeUnlessRolledBack("store notifications in") { db in
      let writer = NotificationWriter(
        answers: try AnswerWriter(db: db, policy: policy, now: now), isLive: false)
      let known = try writer.newestReceipt()
      return try ImportSummary.adding(next, leavingOutRefused: leavingOutRefused) { item, summary in
        switch try writer.take(item) {
        case .replayed: return nil
        case .refused(let reason), .early(let reason): return reason
        case .kept:
          summary.changed += 1
          return nil
        }
      } endPage: { _ in
        try writer.answers.ledger.flush()
      } finish: { summary in
        try writer.takeUnheld()
        summary.newTransactions = writer.newTransactions
        summary.due = try writer.makeDue(after: known)
        try writer.answers.ledger.finish()
        return true
      }
    }
  }

  /// Stores received notifications in one commit, which survives a power failure once this returns.
  public func receive(
    _ notifications: [ReceivedNotification], at now: Instant
  ) throws(StoreError) -> [NotificationOutcome] {
    try write("store notifications in") { db in try take(notifications, at: now, db) }
  }

  func take(
    _ notifications: [ReceivedNotification], at now: Instant, _ db: Database
  ) throws -> [NotificationOutcome] {
    let writer = NotificationWriter(answers: try AnswerWriter(db: db, policy: policy, now: now), isLive: true)
    let outcomes = try notifications.map(writer.take)
    try writer.makeDue()
    try writer.answers.ledger.finish()
    return outcomes
  }

  public func checkReading() throws(StoreError) {
    _ = try read("read") { try Int.fetchOne($0, sql: "SELECT count(*) FROM sweeps") }
  }

  public func endReceiving() { checkpoint() }
}

/// Received notification that has not been applied yet.
public struct InboxEntry: Sendable {
  public var id: Int64
  public var body: [UInt8]
}

/// Inbox of received notification bodies, which are stored at once and applied later, because storing takes a
/// hundredth of the time of applying.
///
/// Bodies of version 1 are never stored, because they contain the shared secret.
extension ReceiptStore {
  /// Stores bodies in one commit, which survives a power failure, and returns whether each body is new.
  public func keep(
    bodies: [(uuid: String, digest: UInt128, body: [UInt8])], at now: Instant
  ) throws(StoreError) -> [Bool] {
    try write("store notifications in") { db in
      let insert = try db.cachedStatement(
        sql:
          "INSERT INTO inbox (digest, uuid, received_at_ms, body) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING")
      return try bodies.map { uuid, digest, body in
        if try NotificationRecord.isKept(digest, db) { return false }
        try insert.execute(arguments: [digest.hexadecimal, uuid, now, String(decoding: body, as: UTF8.self)])
        return db.changesCount > 0
      }
    }
  }

  public func inbox(atMost count: Int) throws(StoreError) -> [InboxEntry] {
    try read("read notifications from") { db in
      try db.rows("SELECT id, body FROM inbox ORDER BY id LIMIT ?", [count]) {
        InboxEntry(id: $0[0], body: Array(($0.longText(1) ?? "").utf8))
      }
    }
  }

  public func inboxCount() throws(StoreError) -> Int { try read("count notifications in", Self.inboxCount) }

  static func inboxCount(_ db: Database) throws -> Int {
    try Int.fetchOne(db, sql: "SELECT count(*) FROM inbox") ?? 0
  }

  /// Applies notifications in one commit, and removes their entries, except those with the outcome `early`.
  public func take(
    inbox entries: [(id: Int64, notification: ReceivedNotification)], at now: Instant
  ) throws(StoreError) -> [NotificationOutcome] {
    try write("process notifications in") { db in
      let outcomes = try take(entries.map(\.notification), at: now, db)
      for (entry, outcome) in zip(entries, outcomes) {
        if case .early = outcome { continue }
        try Self.remove([entry.id], db)
      }
      return outcomes
    }
  }

  public func remove(inbox ids: [Int64]) throws(StoreError) {
    try write("remove notifications from") { db in try Self.remove(ids, db) }
  }

  private static func remove(_ ids: [Int64], _ db: Database) throws {
    for id in ids { try db.run("DELETE FROM inbox WHERE id = ?", [id]) }
  }
}
