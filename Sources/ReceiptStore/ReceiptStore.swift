import GRDB
import Glibc
import Subscriptions
import Synchronization

/// One SQLite file: every receipt, transaction and renewal info ever seen, with derived rows that answer the panels.
///
/// Safe from any thread: one writer, and a pool of readers that a writer never blocks.
public final class ReceiptStore: Sendable {
  public let path: String
  let database: any DatabaseReader
  private let pool: DatabasePool?
  private let busyHandler = BusyHandler()
  let place: StorePath
  private let file: OpenFile
  let factClasses = FactClasses()
  let classes = LedgerClasses()
  let ledgerCache = LedgerCache()
  public let policy: DuePolicy

  /// Opens the file, making it (mode 0600) and its folder (0700) where they are missing.
  public convenience init(
    path: String, access: StoreAccess = .readWrite, policy: DuePolicy = .standard
  ) throws(StoreError) {
    try self.init(path: path, access: access, policy: policy, pages: nil)
  }

  /// - Parameter pages: the most that the file may grow to, as on a small disk; nil without a limit.
  package init(path: String, access: StoreAccess, policy: DuePolicy, pages: Int?) throws(StoreError) {
    self.path = path
    self.policy = policy
    do {
      let place = try StorePath(path, access)
      self.place = place
      let file = OpenFile(place)
      var connections = StoreConnections(file: file, waiting: busyHandler.wait, pages: pages)
      if access == .readOnly {
        connections.isReadOnly = true
        pool = nil
        guard place.size > 0 else {
          throw StoreError("it is empty; import something first, or pass another --store")
        }
        let isUnlocked = try place.mayBeReadUnlocked()
        database = try connections.open(isUnlocked ? place.unlockedURI : place.file)
        guard try database.read(Schema.checkedVersion) == Schema.version else {
          throw StoreError("it is empty; import something first, or pass another --store")
        }
        self.file = isUnlocked ? file.watchingChanges() : file
      } else {
        try place.checkWritable()
        guard access == .readWrite || place.size > 0 else {
          throw StoreError("it is empty; import something first, or pass another --store")
        }
        try connections.refuseOthers(place.file)
        let pool = try connections.openForWriting(place.file)
        self.pool = pool
        database = pool
        try Schema.make(in: pool)
        self.file = file
      }
      try self.file.check()
    } catch {
      throw StoreError("open the store", at: path, error)
    }
  }

  /// Lets go of waiting for other programs' commits: from now on a write waits for a second at the most. For a program that
  /// was told to end.
  public func shortenBusyTimeout() { busyHandler.shorten() }

  /// Waits no longer than so many milliseconds for other programs' commits, for a program whose own callers wait.
  public func waitAtMost(_ milliseconds: Int64) { busyHandler.limit(to: milliseconds) }

  /// Between commits that follow each other at once: lets a listener have its turn, which would miss it else.
  public func yieldToListeners() { BusyHandler.yieldToListeners() }

  /// Looks, without opening it, whether a store could be written to.
  ///
  /// - Throws: what `init` would.
  public static func checkWritable(_ path: String) throws(StoreError) {
    do {
      try StorePath(path, .existing).checkWritable()
    } catch {
      throw StoreError("open the store", at: path, error)
    }
  }

  /// Whether there is a file at all.
  public static func exists(_ path: String) -> Bool { Glibc.access(path, F_OK) == 0 }

  /// The file that every commit is appended to.
  public var log: String { place.log }
}

extension ReceiptStore {
  /// Reads one state of the store, whatever is written meanwhile.
  func read<Value>(_ doing: String, _ body: (Database) throws -> Value) throws(StoreError) -> Value {
    do {
      try file.check()
      let value = try database.read(body)
      try file.check()
      return value
    } catch {
      throw failure(doing, error)
    }
  }

  /// Writes in one transaction: all of it or nothing.
  func write<Value>(_ doing: String, _ body: (Database) throws -> Value) throws(StoreError) -> Value {
    try writeUnlessRolledBack(doing) { (try body($0), .commit) }
  }

  /// Writes in one transaction, which the body may also have undone.
  func writeUnlessRolledBack<Value>(
    _ doing: String, _ kind: Database.TransactionKind? = nil,
    _ body: (Database) throws -> (Value, Database.TransactionCompletion)
  ) throws(StoreError) -> Value {
    guard let pool else { throw StoreError("cannot \(doing) \(path): it was opened for reading only") }
    do {
      try file.check()
      let written = try pool.writeWithoutTransaction { db in
        var value: Value?
        try db.inTransaction(kind) {
          let (result, completion) = try body(db)
          value = result
          // A commit into a file that was removed is lost.
          if completion == .commit { try file.check() }
          return completion
        }
        return value
      }
      guard let written else { throw StoreError("nothing came of it; try again") }
      try file.check()
      return written
    } catch {
      throw failure(doing, error)
    }
  }

  /// At the end of what was to be done: has the file hold everything and empties the log, so that nothing hangs on the log any
  /// more. While somebody reads an earlier state for long, it is left to the next who writes.
  func checkpoint() {
    guard let pool, (try? file.check()) != nil else { return }
    busyHandler.briefly {
      _ = try? pool.writeWithoutTransaction { try $0.checkpoint(.truncate) }
    }
  }

  private func failure(_ doing: String, _ error: any Error) -> StoreError {
    StoreError(doing, at: path, error)
  }
}

extension ReceiptStore {
  /// What a sweep would take up now, and how fast the last ones were.
  public func estimate(of selection: SweepSelection, at now: Instant) throws(StoreError) -> SweepEstimate {
    let (free, held) = try count(of: selection, at: now)
    return SweepEstimate(free: free, held: held, rate: try lastRate())
  }

  /// Receipts a second over the last sweeps that took more than a few; a demonstration's are told by a clock that runs fast.
  private func lastRate() throws(StoreError) -> Double? {
    try read("ask how fast sweeps are in") { db in
      let row = try FetchedRow.fetchOne(
        db,
        sql: """
          SELECT sum(done), sum(took) FROM (
            SELECT validated + rejected + retry_later AS done, finished_at_ms - started_at_ms AS took FROM sweeps
            WHERE finished_at_ms > started_at_ms AND picked >= 20 AND started_by <> 'demo' AND failure IS NULL
            ORDER BY id DESC LIMIT 5)
          """)
      guard let row, let done = try row[0] as Int64?, let took = try row[1] as Int64?, done > 0 else {
        return nil
      }
      return Double(done) * 1000 / Double(took)
    }
  }
}

/// What there is to ask with about the customers of an app that are not given up.
public struct AskableContents: Hashable, Sendable {
  /// Nil where it is not known yet.
  public var bundleID: BundleID?
  /// Those with a receipt, which a shared secret or a key asks with.
  public var receipts: Int
  /// Those of which there is an id alone, which a key asks with.
  public var idsAlone: Int
}

extension [AskableContents] {
  /// - Parameter app: nil is not known yet, and may be any.
  public func hasReceipt(of app: BundleID?) -> Bool {
    contains { ($0.bundleID == app || app == nil) && $0.receipts > 0 }
  }
}

extension ReceiptStore {
  /// By app. Looks at every receipt.
  public func askableContents() throws(StoreError) -> [AskableContents] {
    try read("list what there is to ask with") { db in
      try FetchedRow.fetchAll(
        db,
        sql: """
          WITH askable AS (
            SELECT bundle_id, EXISTS (SELECT 1 FROM receipt_contents c WHERE c.receipt_id = q.id)
              OR EXISTS (SELECT 1 FROM latest_receipts l WHERE l.receipt_id = q.id) AS has_receipt
            FROM receipts q WHERE has_contents = 1 AND dead_reason IS NULL)
          SELECT bundle_id, SUM(has_receipt), SUM(NOT has_receipt) FROM askable
          GROUP BY bundle_id ORDER BY bundle_id
          """
      ).map { row in
        try AskableContents(
          bundleID: (row[0] as String?).map { BundleID($0) }, receipts: row[1], idsAlone: row[2])
      }
    }
  }
}

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
