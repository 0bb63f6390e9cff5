import Files
import GRDB
import GRDBSQLite
import Glibc
import Synchronization

/// Copy of a store in progress: a hidden file beside its final path, locked against other copies by flock(2).
public final class UnfinishedCopy: Sendable {
  private struct Held {
    let path: String
    let descriptor: Int32
  }

  private let held = Mutex<Held?>(nil)
  private static let pagesPerStep: CInt = 1000

  public init() {}

  static func path(beside path: String) -> String {
    let name = path.lastIndex(of: "/").map { path[path.index(after: $0)...] } ?? path[...]
    return "\(TrustedFolder.parent(of: path))/.\(name).subtop-unfinished"
  }

  private func make(beside path: String) throws(StoreError) -> Held {
    let path = Self.path(beside: path)
    let descriptor = open(path, O_RDWR | O_CREAT | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw StoreError(
        "cannot create \(path): \(errorText); remove that file, or give this user write access to its folder")
    }
    var (about, named) = (stat(), stat())
    // Another program may have renamed or removed the file before this one locked it.
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, fstat(descriptor, &about) == 0,
      lstat(path, &named) == 0, named.st_ino == about.st_ino
    else {
      close(descriptor)
      throw StoreError("another program is making a copy there; try again when it is done")
    }
    guard about.st_mode & S_IFMT == S_IFREG, about.st_uid == geteuid(), about.st_nlink == 1 else {
      close(descriptor)
      throw StoreError("\(path) exists and is not an unfinished copy; remove it")
    }
    ftruncate(descriptor, 0)
    fchmod(descriptor, 0o600)
    return Held(path: path, descriptor: descriptor)
  }

  /// Copies a consistent state of a database to `path`, but only once the copy is complete and on disk.
  ///
  /// - Parameter check: Receives the path of the complete copy; throws to discard it.
  func write(
    _ source: Database, to path: String, beside place: String, replacing: Bool,
    progress: @escaping (Int, Int) -> Void, check: (String) throws -> Void
  ) throws {
    let made = try make(beside: place)
    held.withLock { $0 = made }
    defer { remove() }
    var configuration = Configuration()
    configuration.prepareDatabase { db in
      // An incomplete copy is deleted, so it needs no journal.
      try db.execute(sql: "PRAGMA journal_mode = OFF")
      try StoreConnections.harden(db)
    }
    let queue = try DatabaseQueue(path: made.path, configuration: configuration)
    try queue.writeWithoutTransaction { try Self.copyPages(of: source, to: $0, progress: progress) }
    try queue.close()
    // The copied header declares WAL mode. Declare a rollback journal instead, so that the copy needs no log
    // (https://www.sqlite.org/fileformat2.html, "File format version numbers").
    guard pwrite(made.descriptor, [1, 1], 2, 18) == 2 else { throw StoreError(errorText) }
    try check(made.path)
    guard fsync(made.descriptor) == 0 else { throw StoreError(errorText) }
    try put(at: path, replacing: replacing)
  }

  static func copyPages(of source: Database, to copy: Database, progress: @escaping (Int, Int) -> Void) throws
  {
    do {
      try source.backup(to: copy, pagesPerStep: pagesPerStep) { step in
        progress(step.completedPageCount, step.totalPageCount)
      }
    } catch let error as DatabaseError where [.SQLITE_IOERR, .SQLITE_FULL].contains(error.resultCode) {
      // GRDB's message may come from the other connection, so use SQLite's text for the code.
      throw StoreError(
        "\(String(cString: sqlite3_errstr(error.resultCode.rawValue))) (SQLite \(error.resultCode.rawValue)); "
          + "check the disks, their free space, and the file size limit (`ulimit -f`); no part of the copy was kept"
      )
    }
  }

  private func put(at path: String, replacing: Bool) throws(StoreError) {
    try held.withLock { held throws(StoreError) in
      guard let made = held else { throw StoreError("it was stopped") }
      if !replacing {
        // Reserve the name, so that a file created there in the meantime is not overwritten.
        let taken = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard taken >= 0 else {
          throw errno == EEXIST
            ? StoreError(.misused, "the file exists already; pass another, or --replace")
            : StoreError(errorText)
        }
        close(taken)
      }
      guard rename(made.path, path) == 0 else {
        let reason = errorText
        if !replacing { unlink(path) }
        throw StoreError(reason)
      }
      close(made.descriptor)
      held = nil
    }
    TrustedFolder.sync(TrustedFolder.parent(of: path))
  }

  /// Removes an incomplete copy, for a program that is asked to end; does nothing once the copy is complete.
  public func remove() {
    held.withLock { made in
      guard let made = made.take() else { return }
      unlink(made.path)
      close(made.descriptor)
    }
  }
}
