import GRDB
import Glibc
import Subscriptions

/// One SQLite file: every receipt, transaction and renewal info ever seen, with derived rows that answer the panels.
///
/// Safe from any thread: one writer, and a pool of readers that a writer never blocks.
public final class ReceiptStore: Sendable {
  public enum Access: Sendable {
    case readWrite
    case readOnly
  }

  public let path: String
  let database: any DatabaseReader
  private let pool: DatabasePool?
  private let patience = Patience()
  private let file: OpenFile
  let tallyKeys = TallyKeys()
  public let policy: DuePolicy

  /// Opens the file, making it (mode 0600) and its folder (0700) where they are missing.
  public convenience init(
    path: String, access: Access = .readWrite, policy: DuePolicy = .standard
  ) throws(StoreError) {
    try self.init(path: path, access: access, policy: policy, pages: nil)
  }

  /// - Parameter pages: the most that the file may grow to, as on a small disk; nil without a limit.
  package init(path: String, access: Access, policy: DuePolicy, pages: Int?) throws(StoreError) {
    self.path = path
    self.policy = policy
    do {
      let configuration = Self.configuration(
        readOnly: access == .readOnly, waiting: patience.wait, pages: pages)
      switch access {
      case .readWrite:
        try Self.prepareFile(at: path)
        try Self.refuseOthers(path)
        chmod(path, 0o600)
        let pool = try DatabasePool(path: path, configuration: configuration)
        self.pool = pool
        database = pool
        try Schema.make(in: pool)
      case .readOnly:
        guard Self.exists(path) else {
          throw StoreError("there is no file; import something first, or pass another --store")
        }
        try Self.refuseOthers(path)
        pool = nil
        database = try DatabasePool(path: path, configuration: configuration)
        guard try database.read(Schema.version(of:)) == Schema.version else {
          throw StoreError("it is empty; import something first, or pass another --store")
        }
      }
      guard let file = OpenFile(at: path) else { throw StoreError("it was removed; try again") }
      self.file = file
    } catch {
      throw StoreError("open the store", at: path, error)
    }
  }

  /// Lets go of waiting for other programs' commits: from now on a write waits for a second at the most. For a program that
  /// was told to end.
  public func hurry() { patience.shorten() }

  /// Kilobytes of pages that the writer keeps, which an import comes back to again and again.
  static let writerCache = 8000
  /// Of each reader: the inner pages of every index. What is read once is not worth keeping, and lies in the system's cache.
  private static let readerCache = 4000

  private static func configuration(
    readOnly: Bool, waiting: @escaping Database.BusyCallback = Patience().wait, pages: Int? = nil
  ) -> Configuration {
    var configuration = Configuration()
    configuration.readonly = readOnly
    configuration.foreignKeysEnabled = true
    configuration.busyMode = .callback(waiting)
    configuration.maximumReaderCount = 3
    configuration.prepareDatabase { db in
      try db.execute(sql: "PRAGMA synchronous = NORMAL")
      // What the writer sorts may be an index of everything, which has no room in memory.
      if db.configuration.readonly { try db.execute(sql: "PRAGMA temp_store = MEMORY") }
      try db.execute(sql: "PRAGMA cache_size = -\(db.configuration.readonly ? readerCache : writerCache)")
      if let pages { try db.execute(sql: "PRAGMA max_page_count = \(pages)") }
    }
    return configuration
  }

  /// SQLite makes files as the umask says; receipts are personal data, so the file exists with its mode before SQLite sees it.
  private static func prepareFile(at path: String) throws(StoreError) {
    guard path != ":memory:" else { throw StoreError("the store is a file; pass a path") }
    if let slash = path.lastIndex(of: "/"), slash > path.startIndex { try makeFolder(String(path[..<slash])) }
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw StoreError("\(String(cString: strerror(errno))); pass another --store")
    }
    close(descriptor)
  }

  private static func makeFolder(_ path: String) throws(StoreError) {
    guard !path.isEmpty, !exists(path) else { return }
    if let slash = path.lastIndex(of: "/") { try makeFolder(String(path[..<slash])) }
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
      throw StoreError("cannot make its folder: \(String(cString: strerror(errno))); pass another --store")
    }
  }

  /// Whether there is a file at all.
  public static func exists(_ path: String) -> Bool { Glibc.access(path, F_OK) == 0 }

  /// Looks before anything is written, since opening a pool alone changes a file's journal mode.
  private static func refuseOthers(_ path: String) throws {
    let file = try DatabaseQueue(path: path, configuration: configuration(readOnly: true))
    try file.read(Schema.check)
  }
}

extension ReceiptStore {
  /// Reads one state of the store, whatever is written meanwhile.
  func read<Value>(_ doing: String, _ body: (Database) throws -> Value) throws(StoreError) -> Value {
    do {
      try file.check(at: path)
      return try database.read(body)
    } catch {
      throw StoreError(doing, at: path, error)
    }
  }

  /// Writes in one transaction: all of it or nothing.
  func write<Value>(_ doing: String, _ body: (Database) throws -> Value) throws(StoreError) -> Value {
    guard let pool else { throw StoreError("cannot \(doing) \(path): it was opened for reading only") }
    do {
      try file.check(at: path)
      return try pool.write(body)
    } catch {
      throw StoreError(doing, at: path, error)
    }
  }
  /// Writes in one transaction, which the body may also have undone.
  func writeUnlessRolledBack<Value>(
    _ doing: String, _ kind: Database.TransactionKind? = nil,
    _ body: (Database) throws -> (Value, Database.TransactionCompletion)
  ) throws(StoreError) -> Value {
    guard let pool else { throw StoreError("cannot \(doing) \(path): it was opened for reading only") }
    do {
      try file.check(at: path)
      return try pool.writeWithoutTransaction { db in
        var value: Value?
        try db.inTransaction(kind) {
          let (result, completion) = try body(db)
          value = result
          return completion
        }
        guard let value else { throw StoreError("nothing came of it; try again") }
        return value
      }
    } catch {
      throw StoreError(doing, at: path, error)
    }
  }
}
