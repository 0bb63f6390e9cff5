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
