import GRDB
import Subscriptions

/// A notification that was answered for, and of which nothing is known but its body.
public struct InboxEntry: Sendable {
  public var id: Int64
  /// As Apple posted it.
  public var body: [UInt8]

  public init(id: Int64, body: [UInt8]) { (self.id, self.body) = (id, body) }
}

/// Where many notifications come at once, their bodies are kept first, which takes a hundredth of the time: what they say is taken from
/// there. Of version 1 there are none, since these hold the shared secret.
extension ReceiptStore {
  /// Keeps bodies in one commit. When it returns they outlast a power cut.
  ///
  /// - Parameter bodies: each with the UUID of its notification and its digest.
  /// - Returns: of each whether it is new, and was not kept before.
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

  /// The oldest of them.
  public func inbox(atMost count: Int) throws(StoreError) -> [InboxEntry] {
    try read("read notifications from") { db in
      try FetchedRow.fetchAll(
        db.cachedStatement(sql: "SELECT id, body FROM inbox ORDER BY id LIMIT ?"), arguments: [count]
      ).map { try InboxEntry(id: $0[0], body: Array(($0.longText(1) ?? "").utf8)) }
    }
  }

  /// How many there are.
  public func inboxCount() throws(StoreError) -> Int {
    try read("count notifications in", Self.inboxCount)
  }

  static func inboxCount(_ db: Database) throws -> Int {
    try Int.fetchOne(db, sql: "SELECT count(*) FROM inbox") ?? 0
  }

  /// Takes what they say, in one commit, and puts them away but for those that are early.
  ///
  /// - Returns: what became of each.
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

  /// Puts away what is not to be taken.
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
