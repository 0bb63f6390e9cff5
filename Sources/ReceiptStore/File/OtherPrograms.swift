import Glibc
import Synchronization

/// Holds that other programs have the very files open that lie there, before SQLite opens them here.
///
/// Whoever has a store open has a lock on its file and one on its log's index. Where the one is locked without the other, or
/// both without a log, some of them were removed meanwhile, and SQLite would begin new ones next to those in use.
final class OtherPrograms: Sendable {
  private let identity: FileIdentity
  /// Files that are open in this process. Their locks must not be looked for then: closing the descriptor that they are
  /// looked for with would let go of SQLite's own.
  private static let open = Mutex<[FileIdentity: Holding]>([:])

  private struct Holding {
    var count = 1
    /// Keeps `restore` from giving the file another name, from before SQLite opens it.
    let lock: StoreLock
  }

  /// Files come and go one after the other when a program opens or closes a store, so that it looks again for two seconds.
  init(_ path: StorePath) throws(StoreError) {
    identity = path.identity
    var obstacle: Obstacle?
    for _ in 0..<200 {
      obstacle = try Self.enter(path)
      if obstacle == nil { return }
      usleep(10_000)
    }
    switch obstacle {
    case .lostLog: throw Self.lostLog(path)
    case .restoring:
      throw StoreError("`subtop restore` is replacing it; try again when that is done")
    case .notTogether, nil: throw StoreError.replacedUnderOthers(path.file)
    }
  }

  private enum Obstacle { case notTogether, lostLog, restoring }

  private static func lostLog(_ path: StorePath) -> StoreError {
    StoreError(
      "its log \(path.log) was removed or cut off, and commits that were in it alone are missing; "
        + "put the log back, or remove \(path.index) to go on without them, import again, and run `subtop sweep --all`"
    )
  }

  deinit {
    Self.open.withLock { open in
      guard var holding = open[identity] else { return }
      holding.count -= 1
      open[identity] = holding.count > 0 ? holding : nil
    }
  }

  /// Whether this process has the file open.
  static func isOpenHere(_ identity: FileIdentity) -> Bool {
    open.withLock { $0[identity] != nil }
  }

  /// - Returns: what is in the way; nil where it is open here now.
  private static func enter(_ path: StorePath) throws(StoreError) -> Obstacle? {
    try open.withLock { open throws(StoreError) in
      if var holding = open[path.identity] {
        holding.count += 1
        open[path.identity] = holding
        return nil
      }
      guard let lock = StoreLock(.shared, of: path.file) else {
        guard access(path.file, R_OK) == 0 else { throw StoreError("\(errorText); pass another --store") }
        return .restoring
      }
      guard lock.identity == path.identity else { throw OpenFile.replaced }
      try refuseForeignLog(of: path)
      let isOpen = SQLiteLocks.isOpen(path.file)
      let isIndexed = SQLiteLocks.isIndexInUse(path.index)
      if isOpen || isIndexed {
        guard isOpen == isIndexed, access(path.log, F_OK) == 0 else { return .notTogether }
      } else if SQLiteLocks.isInWALMode(path.file) == true, LogIndex.misses(path) {
        return .lostLog
      }
      open[path.identity] = Holding(lock: lock)
      return nil
    }
  }

  /// A file says that it is in WAL mode before it has a log, and until it has none. A copy that `backup` made is not in that
  /// mode: a log beside it is another file's, which SQLite would write into it.
  private static func refuseForeignLog(of path: StorePath) throws(StoreError) {
    guard hasLog(path), SQLiteLocks.isInWALMode(path.file) == false, !removeKeptLog(path), hasLog(path) else {
      return
    }
    throw StoreError(
      "the log \(path.log) is another file's, which was there before it, and would damage it; move it away, and "
        + "\(path.index), and use `subtop restore` to put a copy in a store's place")
  }

  /// A log that has another name is kept under that by a `restore` that was killed before it took this name away.
  private static func removeKeptLog(_ path: StorePath) -> Bool {
    var about = stat()
    guard lstat(path.log, &about) == 0, about.st_nlink > 1, about.st_uid == geteuid() else { return false }
    return unlink(path.log) == 0
  }

  private static func hasLog(_ path: StorePath) -> Bool {
    var about = stat()
    return stat(path.log, &about) == 0 && about.st_size > 0
  }
}
