import GRDB
import Glibc
import Subscriptions
import Synchronization

/// Store of all receipts, transactions and renewal infos, with derived tables for the panels, in one file.
///
/// Safe to use from any thread. The file has one writer, and a pool of readers that are never blocked by it.
/// `isShared` stores are copies of a team's published rows.
public final class ReceiptStore: Sendable {
  public let path: String
  let database: any DatabaseReader
  private let pool: DatabasePool?
  private let busyHandler = BusyHandler()
  private let replica: SharedReplica?
  let place: StorePath?
  let classes = LedgerClasses()
  public let policy: DuePolicy

  /// Opens a store; `.readWrite` creates a missing file (mode 0600) and its folder (0700).
  public convenience init(
    path: String, access: StoreAccess = .readWrite, policy: DuePolicy = .standard
  ) throws(StoreError) {
    try self.init(path: path, access: access, policy: policy, pages: nil)
  }

  /// - Parameter pages: Maximum size of the file in pages, to simulate a small disk; `nil` for no limit.
  package init(path: String, access: StoreAccess, policy: DuePolicy, pages: Int?) throws(StoreError) {
    (self.path, self.policy) = (path, policy)
    do {
      let place = try StorePath(path, access)
      (self.place, replica) = (place, nil)
      var connections = StoreConnections(place, waiting: busyHandler.wait, pages: pages)
      let empty = StoreError("it is empty; import something first, or pass another --store")
      guard access == .readWrite || place.size > 0 else { throw empty }
      if access == .readOnly {
        connections.isReadOnly = true
        pool = nil
        database = try connections.open(try place.mayBeReadUnlocked() ? place.unlockedURI : nil)
        guard try database.read(Schema.checkedVersion) == Schema.version else { throw empty }
      } else {
        try place.checkWritable()
        try connections.refuseOthers()
        let pool = try connections.openForWriting()
        (self.pool, database) = (pool, pool)
        try Schema.make(in: pool)
      }
    } catch {
      throw StoreError("open the store", at: path, error)
    }
  }

  /// Opens a team's published rows for reading; messages call the server `name`.
  package init(_ source: any SharedSource, name: String) throws(StoreError) {
    (path, policy, pool, place) = (name, .standard, nil, nil)
    do {
      let replica = try SharedReplica(source)
      (self.replica, database) = (replica, replica.database)
    } catch {
      throw StoreError("open", at: name, error)
    }
  }

  /// Published state of a team; `nil` for a local store, and before the first read.
  package var shared: SharedState? { replica?.state }

  package func readShared() throws(StoreError) -> SharedState? {
    try read("read") { _ in }
    return shared
  }

  /// Whether this store reads a team's server, which lacks receipt contents, sweeps and earlier states.
  public var isShared: Bool { replica != nil }

  /// Limits waiting for commits of other programs to one second, for a program that is asked to end.
  public func shortenBusyTimeout() { busyHandler.shorten() }

  /// Limits waiting for commits of other programs to `milliseconds`, for a program with waiting clients.
  public func waitAtMost(_ milliseconds: Int64) { busyHandler.limit(to: milliseconds) }

  public func yieldToListeners() { BusyHandler.yieldToListeners() }

  /// Checks that a store can be written to, without opening it; throws the error that `init` would throw.
  public static func checkWritable(_ path: String) throws(StoreError) {
    do {
      try StorePath(path, .existing).checkWritable()
    } catch {
      throw StoreError("open the store", at: path, error)
    }
  }

  public static func exists(_ path: String) -> Bool { Glibc.access(path, F_OK) == 0 }

  /// Path of the write-ahead log; empty for a team's server.
  public var log: String { place?.log ?? "" }

  /// Reads a consistent state of the store, isolated from concurrent writes.
  func read<Value>(_ doing: String, _ body: (Database) throws -> Value) throws(StoreError) -> Value {
    do {
      if let replica { return try replica.read(body) }
      return try database.read(body)
    } catch {
      throw StoreError(doing, at: path, error)
    }
  }

  func write<Value>(_ doing: String, _ body: (Database) throws -> Value) throws(StoreError) -> Value {
    try writeUnlessRolledBack(doing) { (try body($0), .commit) }
  }

  func writeUnlessRolledBack<Value>(
    _ doing: String, _ body: (Database) throws -> (Value, Database.TransactionCompletion)
  ) throws(StoreError) -> Value {
    guard let pool else { throw StoreError("cannot \(doing) \(path): it was opened read-only") }
    do {
      let written = try pool.writeWithoutTransaction { db in
        var value: Value?
        try db.inTransaction {
          let (result, completion) = try body(db)
          value = result
          return completion
        }
        return value
      }
      guard let written else { throw StoreError("the transaction had no result; try again") }
      return written
    } catch {
      throw StoreError(doing, at: path, error)
    }
  }

  /// Copies the write-ahead log into the database and empties the log, unless a reader uses an earlier state.
  func checkpoint() {
    guard let pool else { return }
    busyHandler.briefly {
      _ = try? pool.writeWithoutTransaction { try $0.checkpoint(.truncate) }
    }
  }

  public func estimate(of selection: SweepSelection, at now: Instant) throws(StoreError) -> SweepEstimate {
    let (free, held) = try count(of: selection, at: now)
    return SweepEstimate(free: free, held: held, rate: try lastRate())
  }

  /// Returns the receipts per second of the last five complete sweeps of at least 20 receipts, without demo
  /// sweeps, whose clock runs fast; `nil` if there is no such sweep.
  private func lastRate() throws(StoreError) -> Double? {
    try read("read the sweep speed from") { db in
      try db.rows(
        """
        SELECT sum(done), sum(took) FROM (
          SELECT validated + rejected + retry_later AS done, finished_at_ms - started_at_ms AS took FROM sweeps
          WHERE finished_at_ms > started_at_ms AND picked >= 20 AND started_by <> 'demo' AND failure IS NULL
            AND stopped IS NULL
          ORDER BY id DESC LIMIT 5)
        """
      ) { row in row[0] > 0 ? Double(row[0]) * 1000 / Double(row[1]) : nil }.first
    }
  }

  /// Returns the numbers of customers that sweeps can query, by app; reads every receipt.
  public func askableContents() throws(StoreError) -> [AskableContents] {
    try read("count receipts and ids in") { db in
      try db.rows(
        """
        WITH askable AS (
          SELECT bundle_id, EXISTS (SELECT 1 FROM receipt_contents c WHERE c.receipt_id = q.id)
            OR EXISTS (SELECT 1 FROM latest_receipts l WHERE l.receipt_id = q.id) AS has_receipt
          FROM receipts q WHERE has_contents = 1 AND dead_reason IS NULL)
        SELECT bundle_id, SUM(has_receipt), SUM(NOT has_receipt) FROM askable
        GROUP BY bundle_id ORDER BY bundle_id
        """
      ) { row in
        try AskableContents(
          bundleID: (row.read(0) as String?).map { BundleID($0) }, receipts: row.read(1),
          idsAlone: row.read(2))
      }
    }
  }

  public func backfilled(
    _ app: BundleID, in environment: StoreEnvironment, onlyFailures: Bool
  ) throws(StoreError) -> BackfillProgress? {
    try read("read the backfills of") { db in
      try db.rows(
        """
        SELECT from_ms, until_ms FROM backfills WHERE bundle_id = ? AND environment = ? AND only_failures = ?
        """, [app, environment.rawValue, onlyFailures]
      ) {
        try BackfillProgress(
          app: app, environment: environment, onlyFailures: onlyFailures, from: $0.read(0), until: $0.read(1))
      }.first
    }
  }

  public func keep(_ progress: BackfillProgress) throws(StoreError) {
    try write("record a backfill in") { db in
      try db.run(
        """
        INSERT OR REPLACE INTO backfills (bundle_id, environment, only_failures, from_ms, until_ms)
        VALUES (?, ?, ?, ?, ?)
        """,
        [
          progress.app, progress.environment.rawValue, progress.onlyFailures, progress.from, progress.until,
        ])
    }
  }

  /// Records Apple's attempts to send stored notifications, by their UUIDs; other notifications are ignored.
  public func keep(sendAttempts: [(uuid: String, attempts: [SendAttempt])]) throws(StoreError) {
    guard !sendAttempts.isEmpty else { return }
    try write("record delivery attempts in") { db in
      let statement = try db.cachedStatement(
        sql: "UPDATE notifications SET send_attempts = ?1 WHERE uuid = ?2 AND send_attempts IS NOT ?1")
      for (uuid, attempts) in sendAttempts where !attempts.isEmpty {
        try statement.execute(arguments: [SendAttempt.text(of: attempts), uuid])
      }
    }
  }

  public func apps() throws(StoreError) -> [BundleID] {
    try read("list the apps of") { db in
      try BundleID.fetchAll(
        db, sql: "SELECT DISTINCT bundle_id FROM receipts WHERE bundle_id IS NOT NULL ORDER BY 1")
    }
  }
}

extension Database {
  func run(_ sql: String, _ arguments: StatementArguments) throws {
    try cachedStatement(sql: sql).execute(arguments: arguments)
  }
}

/// Numbers of customers of an app that sweeps can query, without dead receipts.
public struct AskableContents: Hashable, Sendable {
  /// `nil` if the app is not known yet.
  public var bundleID: BundleID?
  /// Number of customers with a receipt; checking them needs a shared secret or an API key.
  public var receipts: Int
  public var idsAlone: Int
}

extension [AskableContents] {
  public func hasReceipt(of app: BundleID?) -> Bool {
    contains { ($0.bundleID == app || app == nil) && $0.receipts > 0 }
  }
}

/// Range of an app's notification history that has been fetched, so that the next backfill can extend it.
public struct BackfillProgress: Hashable, Sendable {
  public var app: BundleID
  public var environment: StoreEnvironment
  public var onlyFailures: Bool
  /// Start of the range whose notifications have been fetched completely.
  public var from: Instant
  public var until: Instant

  public init(
    app: BundleID, environment: StoreEnvironment, onlyFailures: Bool, from: Instant, until: Instant
  ) {
    (self.app, self.environment, self.onlyFailures) = (app, environment, onlyFailures)
    (self.from, self.until) = (from, until)
  }
}
