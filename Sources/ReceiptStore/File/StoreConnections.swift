import CSQLite
import GRDB
import GRDBSQLite

/// How SQLite opens a store's file.
package struct StoreConnections {
  var file: OpenFile
  var waiting: Database.BusyCallback
  /// The most that the file may grow to; nil without a limit.
  var pages: Int?
  var isReadOnly = false

  package init(file: OpenFile, waiting: @escaping Database.BusyCallback, pages: Int? = nil) {
    (self.file, self.waiting, self.pages) = (file, waiting, pages)
  }

  /// Kilobytes of pages that the writer keeps, which an import comes back to again and again.
  private static let writerCache = 8000
  /// The same of a transaction that writes everywhere.
  private static let largeWriterCache = 32_000
  /// Of each reader: the inner pages of every index, and all that panels read of `sums` and `spans_unpaid` at a million lines. What else is
  /// read once is not worth keeping, and lies in the system's cache.
  private static let readerCache = 8000

  private var configuration: Configuration {
    var configuration = Configuration()
    configuration.readonly = isReadOnly
    configuration.foreignKeysEnabled = true
    configuration.busyMode = .callback(waiting)
    configuration.maximumReaderCount = 3
    configuration.prepareDatabase { [file, pages] db in
      try file.check(db)
      try Self.harden(db)
      // What the writer sorts may be an index of everything, which has no room in memory.
      if db.configuration.readonly { try db.execute(sql: "PRAGMA temp_store = MEMORY") }
      try Self.keepPages(of: db.configuration.readonly ? Self.readerCache : Self.writerCache, db)
      if let pages { try db.execute(sql: "PRAGMA max_page_count = \(pages)") }
    }
    return configuration
  }

  /// Has SQLite believe as little as it can of a file, which may have been handed over.
  static func harden(_ db: Database) throws {
    try db.execute(sql: "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON")
    csqlite_be_defensive(db.sqliteConnection)
    for (limit, most) in limits { sqlite3_limit(db.sqliteConnection, limit, most) }
  }

  /// Twice the longest receipt is longer than any text or row; statements of the program and its schema are far below the others.
  private static let limits: [(CInt, CInt)] = [
    (SQLITE_LIMIT_LENGTH, 16 << 20), (SQLITE_LIMIT_SQL_LENGTH, 1 << 20), (SQLITE_LIMIT_EXPR_DEPTH, 200),
    (SQLITE_LIMIT_VDBE_OP, 250_000), (SQLITE_LIMIT_TRIGGER_DEPTH, 4), (SQLITE_LIMIT_ATTACHED, 0),
  ]

  /// For a large import, or a rebuild.
  static func keepMorePages(_ db: Database) throws { try keepPages(of: largeWriterCache, db) }

  static func keepUsualPages(_ db: Database) { try? keepPages(of: writerCache, db) }

  private static func keepPages(of kilobytes: Int, _ db: Database) throws {
    try db.execute(sql: "PRAGMA cache_size = -\(kilobytes)")
  }

  func open(_ path: String) throws -> DatabasePool {
    try DatabasePool(path: path, configuration: configuration)
  }

  /// What was committed is to outlast a power cut, so that every commit waits for the disk: GRDB chooses NORMAL for a file in
  /// WAL mode, which only keeps it whole.
  package func openForWriting(_ path: String) throws -> DatabasePool {
    let pool = try openWithOthers(path)
    try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
    return pool
  }

  /// Of several that put a new file into WAL mode at once, SQLite refuses some without asking their busy handlers: they would wait for each
  /// other.
  private func openWithOthers(_ path: String) throws -> DatabasePool {
    var tries = 0
    while true {
      do {
        return try open(path)
      } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY && tries < 100 {
        guard waiting(tries) else { throw error }
        tries += 1
      }
    }
  }

  /// Looks before anything is written, since opening a pool alone changes a file's journal mode.
  func refuseOthers(_ path: String) throws {
    var reading = self
    reading.isReadOnly = true
    do {
      try DatabaseQueue(path: path, configuration: reading.configuration).read(Schema.check)
    } catch let error as DatabaseError where error.extendedResultCode == .SQLITE_READONLY_ROLLBACK {
      // Whoever was making the file was ended half-way. SQLite undoes that for the first who may write.
      reading.isReadOnly = false
      try DatabaseQueue(path: path, configuration: reading.configuration).read(Schema.check)
    }
  }

  /// Opens a file of which nobody else has a connection, and keeps everybody off it until it is closed.
  ///
  /// - Throws: SQLITE_BUSY if another connection is open, in this process or another.
  static func alone(with path: String) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.prepareDatabase { db in
      try harden(db)
      // An exclusive lock is kept from the first transaction on.
      try db.execute(
        sql: "PRAGMA locking_mode = EXCLUSIVE; PRAGMA synchronous = FULL; BEGIN IMMEDIATE; COMMIT")
    }
    return try DatabaseQueue(path: path, configuration: configuration)
  }
}
