import CSQLite
import GRDB
import GRDBSQLite
import Glibc

/// Check that a store's path still leads to the file that was opened.
///
/// SQLite continues to write to a file that was removed or replaced, and those commits are lost
/// (https://www.sqlite.org/howtocorrupt.html, "unlinking or renaming a database file while in use").
package struct OpenFile: Sendable {
  private let path: StorePath
  /// Modification time of a file that is read without locks.
  private var unchangedSince: timespec?

  package init(_ path: StorePath) { self.path = path }

  /// Returns a copy that also detects changes, for a file that SQLite reads without locks.
  func watchingChanges() -> OpenFile {
    var file = self
    var about = stat()
    if stat(path.file, &about) == 0 { file.unchangedSince = about.st_mtim }
    return file
  }

  /// Throws if the path no longer leads to the file. Takes a few microseconds, so it runs around every read
  /// and write.
  func check() throws(StoreError) {
    guard let there = FileIdentity(at: path.file) else {
      throw StoreError("it was removed while it was open; put it back or import again, and start anew")
    }
    guard there == path.identity else {
      throw StoreError("it was replaced while it was open; start anew to go on with the new one")
    }
    if let unchangedSince { try checkUnchanged(unchangedSince) }
  }

  private func checkUnchanged(_ before: timespec) throws(StoreError) {
    var about = stat()
    guard stat(path.file, &about) == 0, about.st_mtim.tv_sec == before.tv_sec,
      about.st_mtim.tv_nsec == before.tv_nsec, !path.hasLog
    else {
      throw StoreError(
        "another program has begun to write to it, which cannot be followed from here; start anew")
    }
  }

  /// Throws if a new connection has opened another file than the one that was checked, since SQLite opens it
  /// by its path again, or if the log beside the file belongs to another file.
  func check(_ connection: Database) throws {
    var hasMoved: CInt = 0
    sqlite3_file_control(connection.sqliteConnection, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
    guard hasMoved == 0 else {
      throw StoreError("it was replaced while it was being opened; start anew to go on with the new one")
    }
    try check()
    // A store is in WAL mode before it has a log, but a copy made by `backup` is not. So a log beside a copy
    // belongs to another file, and SQLite would write it into the copy.
    guard path.hasLog, csqlite_format_version(connection.sqliteConnection) == 1 else { return }
    throw StoreError(
      "the log \(path.log) is another file's, which was there before it, and would damage it; move it away, and "
        + "\(path.index), and use `subtop restore` to put a copy in a store's place")
  }
}
