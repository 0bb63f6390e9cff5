import CSQLite
import GRDB
import GRDBSQLite

/// Opens SQLite connections to the store, with limits, caches and safety settings.
package struct StoreConnections {
  var path: StorePath
  var waiting: Database.BusyCallback
  /// Maximum size of the file in pages; `nil` for no limit.
  var pages: Int?
  var isReadOnly = false

  package init(_ path: StorePath, waiting: @escaping Database.BusyCallback, pages: Int? = nil) {
    (self.path, self.waiting, self.pages) = (path, waiting, pages)
  }

  /// Page cache of the writer in KiB, for pages that an import reads repeatedly.
  private static let writerCache = 8000
  /// Page cache in KiB for a transaction that writes to pages throughout the file.
  private static let largeWriterCache = 32_000
  /// Page cache of each reader in KiB: at a million lines, it holds the inner pages of all indexes, and
  /// everything that panels read from `sums` and `spans_unpaid`.
  private static let readerCache = 8000

  private var configuration: Configuration {
    var configuration = Configuration()
    configuration.readonly = isReadOnly
    configuration.foreignKeysEnabled = true
    configuration.busyMode = .callback(waiting)
    configuration.maximumReaderCount = 3
    configuration.prepareDatabase { [path, pages] db in
      try Self.harden(db)
      try Self.refuseLog(of: path, db)
      // The writer keeps temporary data on disk, because it may sort a whole index.
      if db.configuration.readonly { try db.execute(sql: "PRAGMA temp_store = MEMORY") }
      try Self.keepPages(of: db.configuration.readonly ? Self.readerCache : Self.writerCache, db)
      if let pages { try db.execute(sql: "PRAGMA max_page_count = \(pages)") }
    }
    return configuration
  }

  /// Throws if the log belongs to an earlier file, because SQLite would apply the log and damage this file.
  ///
  /// Only a file in WAL mode has a log of its own. A copy made by `backup` is not in WAL mode.
  private static func refuseLog(of path: StorePath, _ db: Database) throws {
    guard path.hasLog, csqlite_format_version(db.sqliteConnection) == 1 else { return }
    throw StoreError(
      "the log \(path.log) belongs to an earlier file, and would damage this one; move it away, and "
        + "\(path.index), and use `subtop restore` to restore copies")
  }

  /// Configures SQLite for a file that may be forged.
  static func harden(_ db: Database) throws {
    try db.execute(sql: "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON")
    csqlite_be_defensive(db.sqliteConnection)
    for (limit, most) in limits { sqlite3_limit(db.sqliteConnection, limit, most) }
  }

  /// SQLite limits: 16 MiB for a text or row, which is twice the longest accepted receipt, and no attached
  /// databases; the other limits are far above the needs of this program.
  private static let limits: [(CInt, CInt)] = [
    (SQLITE_LIMIT_LENGTH, 16 << 20), (SQLITE_LIMIT_SQL_LENGTH, 1 << 20), (SQLITE_LIMIT_EXPR_DEPTH, 200),
    (SQLITE_LIMIT_VDBE_OP, 250_000), (SQLITE_LIMIT_TRIGGER_DEPTH, 4), (SQLITE_LIMIT_ATTACHED, 0),
  ]

  static func keepMorePages(_ db: Database) throws { try keepPages(of: largeWriterCache, db) }

  static func keepUsualPages(_ db: Database) { try? keepPages(of: writerCache, db) }

  private static func keepPages(of kilobytes: Int, _ db: Database) throws {
    try db.execute(sql: "PRAGMA cache_size = -\(kilobytes)")
  }

  func open(_ uri: String? = nil) throws -> DatabasePool {
    try DatabasePool(path: uri ?? path.file, configuration: configuration)
  }

  /// Opens the file so that commits survive a power failure: each commit waits for the disk.
  ///
  /// GRDB's default in WAL mode, NORMAL, protects only the consistency of the file.
  package func openForWriting() throws -> DatabasePool {
    let pool = try openWithOthers()
    try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
    return pool
  }

  /// Opens the file, and tries again while it is busy.
  ///
  /// If several processes switch a new file to WAL mode at once, SQLite rejects some without calling their
  /// busy handlers, because waiting would be a deadlock.
  private func openWithOthers() throws -> DatabasePool {
    var tries = 0
    while true {
      do {
        return try open()
      } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY && tries < 100 {
        guard waiting(tries) else { throw error }
        tries += 1
      }
    }
  }

  /// Throws if the file has another schema.
  ///
  /// The schema is read without a pool, because a pool changes the journal mode.
  func refuseOthers() throws {
    var reading = self
    reading.isReadOnly = true
    do {
      try DatabaseQueue(path: path.file, configuration: reading.configuration).read(Schema.check)
    } catch let error as DatabaseError where error.extendedResultCode == .SQLITE_READONLY_ROLLBACK {
      // The creator was killed. SQLite rolls its transaction back on a connection that can write.
      try DatabaseQueue(path: path.file, configuration: configuration).read(Schema.check)
    }
  }

  /// Opens a file exclusively; throws SQLITE_BUSY if another connection is open, in this process or another.
  static func alone(with path: String) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.prepareDatabase { db in
      try harden(db)
      // The first transaction takes the exclusive lock, which is held until the connection is closed.
      try db.execute(
        sql: "PRAGMA locking_mode = EXCLUSIVE; PRAGMA synchronous = FULL; BEGIN IMMEDIATE; COMMIT")
    }
    return try DatabaseQueue(path: path, configuration: configuration)
  }
}
