import GRDB
import GRDBSQLite
import Glibc

/// A copy of a store in the making.
struct StoreCopy {
  private let unfinished: UnfinishedCopy
  private let made: String
  private let queue: DatabaseQueue

  private static let pagesPerStep: CInt = 1000

  /// - Parameter path: where it is to lie in the end.
  init(to path: String, _ unfinished: UnfinishedCopy) throws(StoreError) {
    self.unfinished = unfinished
    made = try unfinished.make(beside: path)
    do {
      var configuration = Configuration()
      configuration.prepareDatabase { db in
        // Where it does not become whole it is thrown away, so that nothing has to be undone.
        try db.execute(sql: "PRAGMA journal_mode = OFF; PRAGMA locking_mode = EXCLUSIVE")
        try StoreConnections.harden(db)
      }
      queue = try DatabaseQueue(path: made, configuration: configuration)
    } catch {
      unfinished.remove()
      throw StoreError("make", at: made, error)
    }
  }

  /// - Parameter advice: what to do where the store is damaged.
  func fill(from store: ReceiptStore, advice: String, progress: @escaping (Int, Int) -> Void) throws {
    let said: String
    do {
      let pages = try store.read("copy") { store in
        Result { try copyPages(of: store, progress: progress) }
      }
      try pages.get()
      said = try queue.read(ReceiptStore.integrity)
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
      // Of the store that is read, whichever of the two files SQLite told of it.
      said = error.message ?? "\(error.resultCode)"
    }
    guard said == "ok" else {
      throw StoreError("\(store.path) is damaged (\(said)), and nothing was kept of the copy; \(advice)")
    }
  }

  private func copyPages(of store: Database, progress: @escaping (Int, Int) -> Void) throws {
    try queue.writeWithoutTransaction { copy in
      do {
        try store.backup(to: copy, pagesPerStep: Self.pagesPerStep) { step in
          progress(step.completedPageCount, step.totalPageCount)
        }
        // As copied it says that it has a log beside it.
        try copy.execute(sql: "PRAGMA journal_mode = DELETE")
      } catch let error as DatabaseError
        where error.resultCode == .SQLITE_IOERR || error.resultCode == .SQLITE_FULL
      {
        // The connection whose message GRDB tells of is not always the one that failed.
        throw StoreError(
          "\(String(cString: sqlite3_errstr(error.resultCode.rawValue))) (SQLite \(error.resultCode.rawValue)); "
            + "check the disks, the room for the copy, and how far a file may grow (`ulimit -f`): nothing of it was kept"
        )
      }
    }
  }

  /// - Parameter makingRoom: done once the copy is whole and on the disk.
  func putInPlace(
    at path: String, replacing: Bool, keeping kept: String? = nil,
    makingRoom: () throws(StoreError) -> Void
  ) throws {
    try queue.close()
    let descriptor = open(made, O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else { throw StoreError("it was removed while it was made") }
    let isSynced = fsync(descriptor) == 0
    close(descriptor)
    guard isSynced else { throw StoreError(errorText) }
    try unfinished.put(at: path, replacing: replacing, keeping: kept, makingRoom: makingRoom)
  }

  /// Whoever has seen it at its place may open it from now on.
  func letGo() { unfinished.letGo() }

  func remove() {
    try? queue.close()
    unfinished.remove()
  }
}
