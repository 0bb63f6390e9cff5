import GRDB
import Subscriptions

/// Received notification that has not been applied yet.
public struct InboxEntry: Sendable {
  public var id: Int64
  /// Body as Apple posted it.
  public var body: [UInt8]

  public init(id: Int64, body: [UInt8]) { (self.id, self.body) = (id, body) }
}

/// Inbox of received bodies. Storing a body takes a hundredth of the time of applying its notification, so
/// listeners store first. Bodies of version 1 are never stored, since they contain the shared secret.
extension ReceiptStore {
  /// Stores bodies in one commit, which survives a power cut once this returns.
  ///
  /// - Parameter bodies: Bodies with the UUID and digest of their notifications.
  /// - Returns: For each body, whether it is new.
  public func keep(
    bodies: [(uuid: String, digest: UInt128, body: [UInt8])], at now: Instant
  ) throws(StoreError) -> [Bool] {
    try write("keep notifications in") { db in
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

  /// Returns the oldest entries of the inbox.
  public func inbox(atMost count: Int) throws(StoreError) -> [InboxEntry] {
    try read("read notifications from") { db in
      try FetchedRow.fetchAll(
        db.cachedStatement(sql: "SELECT id, body FROM inbox ORDER BY id LIMIT ?"), arguments: [count]
      ).map { try InboxEntry(id: $0[0], body: Array(($0.longText(1) ?? "").utf8)) }
    }
  }

  public func inboxCount() throws(StoreError) -> Int {
    try read("count notifications in", Self.inboxCount)
  }

  static func inboxCount(_ db: Database) throws -> Int {
    try Int.fetchOne(db, sql: "SELECT count(*) FROM inbox") ?? 0
  }

  /// Applies notifications in one commit, and removes their entries except those that are early.
  ///
  /// - Returns: The outcome of each.
  public func take(
    inbox entries: [(id: Int64, notification: ReceivedNotification)], at now: Instant
  ) throws(StoreError) -> [NotificationOutcome] {
    try write("take notifications into") { db in
      let outcomes = try take(entries.map(\.notification), at: now, db)
      let done = zip(entries, outcomes).filter { !$0.1.isEarly }
      try Self.remove(done.map(\.0.id), db)
      return outcomes
    }
  }

  /// Removes entries without applying them.
  public func remove(inbox ids: [Int64]) throws(StoreError) {
    try write("remove notifications from") { db in try Self.remove(ids, db) }
  }

  private static func remove(_ ids: [Int64], _ db: Database) throws {
    let delete = try db.cachedStatement(sql: "DELETE FROM inbox WHERE id = ?")
    for id in ids { try delete.execute(arguments: [id]) }
  }
}

extension NotificationOutcome {
  fileprivate var isEarly: Bool { if case .early = self { true } else { false } }
}
