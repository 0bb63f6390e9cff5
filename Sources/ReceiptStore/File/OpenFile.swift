import GRDB
import GRDBSQLite
import Glibc

/// Which files a store was opened as. SQLite goes on with a file that was removed, where nobody finds it again; and with a log
/// that was removed, next to whoever begins another one, which ends in a file that is malformed
/// (https://www.sqlite.org/howtocorrupt.html, "unlinking or renaming a database file while in use").
package struct OpenFile: Sendable {
  private let path: StorePath
  /// Nil where they were not there when the store was opened: SQLite keeps no log for a file that is not in WAL mode.
  private var log: FileIdentity?
  private var index: FileIdentity?
  /// Of a file that nobody could write to when it was opened: when it was last changed.
  private var unchangedSince: timespec?

  package init(_ path: StorePath) { self.path = path }

  /// With the log to be watched as well, which SQLite has opened by now: while it is open, no SQLite removes it.
  func watchingLog() -> OpenFile {
    var file = self
    file.log = FileIdentity(at: path.log)
    file.index = FileIdentity(at: path.index)
    return file
  }

  /// For a file that SQLite reads without locks: nobody is to write to it meanwhile.
  func watchingChanges() -> OpenFile {
    var file = self
    var about = stat()
    if stat(path.file, &about) == 0 { file.unchangedSince = about.st_mtim }
    return file
  }

  /// Costs a few microseconds, so it is done around every read and write.
  func check() throws(StoreError) {
    try checkMain()
    try check(log, at: path.log, "its log")
    try check(index, at: path.index, "its log's index")
    if let unchangedSince { try checkUnchanged(unchangedSince) }
  }

  /// Whether a connection goes by a log that is there, once it has read or written something.
  func checkLog(_ db: Database) throws(StoreError) {
    guard log != nil, LogIndex.isCutOff(path.log, under: db) else { return }
    throw StoreError(
      "its log \(path.log) was cut off while it was open, and commits that were in it alone are missing; end every subtop that has "
        + "it open, then run `subtop status --check`")
  }

  private func checkMain() throws(StoreError) {
    guard let there = FileIdentity(at: path.file) else {
      throw StoreError("it was removed while it was open; put it back or import again, and start anew")
    }
    guard there == path.identity else {
      throw StoreError("it was replaced while it was open; start anew to go on with the new one")
    }
  }

  private func check(_ opened: FileIdentity?, at path: String, _ what: String) throws(StoreError) {
    guard let opened else { return }
    let there = FileIdentity(at: path)
    guard there != opened else { return }
    throw StoreError(
      "\(what) \(path) was \(there == nil ? "removed" : "replaced") while it was open; end every subtop that has it open, "
        + "then run `subtop status --check`")
  }

  /// Whether its connections alone still have the log, so that what is in it can go into the file: nobody has begun another.
  var isAloneWithLog: Bool {
    guard log != nil, FileIdentity(at: path.log) == nil, FileIdentity(at: path.file) == path.identity else {
      return false
    }
    return FileIdentity(at: path.index).map { $0 == index } ?? true
  }

  private func checkUnchanged(_ before: timespec) throws(StoreError) {
    var (about, aboutLog) = (stat(), stat())
    let hasLog = stat(path.log, &aboutLog) == 0 && aboutLog.st_size > 0
    guard stat(path.file, &about) == 0, about.st_mtim.tv_sec == before.tv_sec,
      about.st_mtim.tv_nsec == before.tv_nsec, !hasLog
    else {
      throw StoreError(
        "another program has begun to write to it, which cannot be followed from here; start anew")
    }
  }

  static var replaced: StoreError {
    StoreError("it was replaced while it was being opened; start anew to go on with the new one")
  }

  /// Whether a connection has opened the very file that was looked at: SQLite opens it by its path again.
  func check(_ connection: Database) throws {
    var hasMoved: CInt = 0
    sqlite3_file_control(connection.sqliteConnection, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
    guard hasMoved == 0 else { throw Self.replaced }
    try checkMain()
  }
}
