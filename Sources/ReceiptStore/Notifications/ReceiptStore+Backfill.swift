import GRDB
import Subscriptions

/// How far the notification history of an app has been walked through, so that the next walk need not begin anew.
public struct BackfillProgress: Hashable, Sendable {
  public var app: BundleID
  public var environment: StoreEnvironment
  public var onlyFailures: Bool
  /// From here to `until` everything was told.
  public var from: Instant
  public var until: Instant

  public init(
    app: BundleID, environment: StoreEnvironment, onlyFailures: Bool, from: Instant, until: Instant
  ) {
    (self.app, self.environment, self.onlyFailures) = (app, environment, onlyFailures)
    (self.from, self.until) = (from, until)
  }
}

extension ReceiptStore {
  /// Nil where nobody has begun.
  public func backfilled(
    _ app: BundleID, in environment: StoreEnvironment, onlyFailures: Bool
  ) throws(StoreError) -> BackfillProgress? {
    try read("look at the backfills of") { db in
      let statement = try db.cachedStatement(
        sql: """
          SELECT from_ms, until_ms FROM backfills WHERE bundle_id = ? AND environment = ? AND only_failures = ?
          """)
      return try FetchedRow.fetchOne(statement, arguments: [app, environment.rawValue, onlyFailures]).map {
        try BackfillProgress(
          app: app, environment: environment, onlyFailures: onlyFailures, from: $0[0], until: $0[1])
      }
    }
  }

  public func keep(_ progress: BackfillProgress) throws(StoreError) {
    try write("record a backfill in") { db in
      let statement = try db.cachedStatement(
        sql: """
          INSERT OR REPLACE INTO backfills (bundle_id, environment, only_failures, from_ms, until_ms)
          VALUES (?, ?, ?, ?, ?)
          """)
      try statement.execute(arguments: [
        progress.app, progress.environment.rawValue, progress.onlyFailures, progress.from, progress.until,
      ])
    }
  }

  /// Keeps how Apple fared with sending notifications, by the UUID of each: its attempts, oldest first.
  public func keep(sendAttempts: [(uuid: String, attempts: [SendAttempt])]) throws(StoreError) {
    guard !sendAttempts.isEmpty else { return }
    try write("record attempts to send in") { db in
      let statement = try db.cachedStatement(
        sql: "UPDATE notifications SET send_attempts = ?1 WHERE uuid = ?2 AND send_attempts IS NOT ?1")
      for (uuid, attempts) in sendAttempts where !attempts.isEmpty {
        try statement.execute(arguments: [SendAttempt.text(of: attempts), uuid])
      }
    }
  }

  /// The apps of everything in the store.
  public func apps() throws(StoreError) -> [BundleID] {
    try read("list the apps of") { db in
      try BundleID.fetchAll(
        db, sql: "SELECT DISTINCT bundle_id FROM receipts WHERE bundle_id IS NOT NULL ORDER BY 1")
    }
  }
}
