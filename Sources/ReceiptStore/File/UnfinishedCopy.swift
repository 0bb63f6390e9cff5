import GRDB
import GRDBSQLite
import Glibc
import Synchronization

/// A copy of a store that is being made: a hidden file beside its final path, locked by flock(2). The next copy overwrites a file that a
/// killed program left.
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
    return "\(StorePath.folder(of: path))/.\(name).subtop-unfinished"
  }

  /// What a killed program left beside a path; nil if there is none, or if somebody is making a copy there.
  static func left(beside path: String) -> String? {
    let path = Self.path(beside: path)
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    return flock(descriptor, LOCK_EX | LOCK_NB) == 0 ? path : nil
  }

  /// Makes a file (0600) for a copy that is to lie at the path in the end.
  private func make(beside path: String) throws(StoreError) -> Held {
    let path = Self.path(beside: path)
    while true {
      let descriptor = open(path, O_RDWR | O_CREAT | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else {
        throw StoreError(
          "cannot make \(path): \(errorText); remove what is there, or let this user write to its folder")
      }
      var about = stat()
      guard fstat(descriptor, &about) == 0, about.st_mode & S_IFMT == S_IFREG, about.st_uid == geteuid(),
        about.st_nlink == 1
      else {
        close(descriptor)
        if about.st_nlink == 0 { continue }
        throw StoreError("\(path) is in the way, and is no unfinished copy; remove it")
      }
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
        close(descriptor)
        throw StoreError("another program is making a copy there; try again when it is done")
      }
      // Its maker may have given it its name, or removed it, before it was locked here.
      guard FileIdentity(at: path) == FileIdentity(about) else {
        close(descriptor)
        continue
      }
      ftruncate(descriptor, 0)
      fchmod(descriptor, 0o600)
      return Held(path: path, descriptor: descriptor)
    }
  }

  /// Copies one state of a database into a single file, which is at its path whole and on the disk, or not at all.
  ///
  /// - Parameters:
  ///   - path: where it is to lie.
  ///   - place: the file beside which it lies until then.
  ///   - check: done once all pages are there.
  func write(
    _ source: Database, to path: String, beside place: String, replacing: Bool,
    progress: @escaping (Int, Int) -> Void,
    check: (String) throws -> Void
  ) throws {
    let made = try make(beside: place)
    held.withLock { $0 = made }
    defer { remove() }
    var configuration = Configuration()
    configuration.prepareDatabase { db in
      // If it does not become whole it is thrown away, so that nothing has to be undone.
      try db.execute(sql: "PRAGMA journal_mode = OFF")
      try StoreConnections.harden(db)
    }
    let queue = try DatabaseQueue(path: made.path, configuration: configuration)
    try queue.writeWithoutTransaction { try Self.copyPages(of: source, to: $0, progress: progress) }
    try queue.close()
    // As copied it says that it has a log beside it (https://www.sqlite.org/fileformat2.html, "File format version numbers").
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
      // The connection whose message GRDB tells of is not always the one that failed.
      throw StoreError(
        "\(String(cString: sqlite3_errstr(error.resultCode.rawValue))) (SQLite \(error.resultCode.rawValue)); "
          + "check the disks, the room for the copy, and how far a file may grow (`ulimit -f`): nothing of it was kept"
      )
    }
  }

  private func put(at path: String, replacing: Bool) throws(StoreError) {
    try held.withLock { held throws(StoreError) in
      guard let made = held else { throw StoreError("it was stopped") }
      if !replacing {
        // Takes the name before the copy does, so that a file which has come there meanwhile stays.
        let taken = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard taken >= 0 else {
          throw errno == EEXIST
            ? StoreError(.misused, "there is a file already; pass another, or --replace")
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
    StorePath.syncFolder(StorePath.folder(of: path))
  }

  /// Removes what there is of it, unless it has its name: for a program that is told to end.
  public func remove() {
    held.withLock { made in
      guard let made = made.take() else { return }
      unlink(made.path)
      close(made.descriptor)
    }
  }
}
