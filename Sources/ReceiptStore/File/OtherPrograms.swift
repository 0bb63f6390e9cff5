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

  /// From SQLite's os.h and os_unix.c: the bytes that readers of a file lock, and the one that all who use an index lock.
  private static let sharedBytes = (first: off_t(0x4000_0002), count: off_t(510))
  private static let indexByte = (first: off_t(128), count: off_t(1))
  /// F_OFD_GETLK, which tells of this process's locks as well.
  private static let lockOfAnybody: Int32 = 36

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
    case .notTogether, nil: throw Self.sentence(path.file)
    }
  }

  private enum Obstacle { case notTogether, lostLog, restoring }

  private static func lostLog(_ path: StorePath) -> StoreError {
    StoreError(
      "its log \(path.log) was removed or cut off while no program had it open, and commits that were in it alone are missing; "
        + "put the log back, or remove \(path.index) to go on without them, import again, and run `subtop sweep --all`"
    )
  }

  private static func sentence(_ file: String) -> StoreError {
    StoreError(
      "another program has it open, and it or its log \(file)-wal was removed or replaced meanwhile; "
        + "end that program, then run `subtop status --check`")
  }

  /// Where there is no file: whether somebody still has one open that was there.
  static func refuseOrphans(of file: String) throws(StoreError) {
    if isLocked(file + "-shm", indexByte) { throw sentence(file) }
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
      let isOpen = isLocked(path.file, sharedBytes, inWALMode: true)
      let isIndexed = isLocked(path.index, indexByte)
      if isOpen || isIndexed {
        guard isOpen == isIndexed, access(path.log, F_OK) == 0 else { return .notTogether }
      } else if isInWALMode(path.file) == true, LogIndex.misses(path) {
        return .lostLog
      }
      open[path.identity] = Holding(lock: lock)
      return nil
    }
  }

  /// A file says that it is in WAL mode before it has a log, and until it has none. A copy that `backup` made is not in that
  /// mode: a log beside it is another file's, which SQLite would write into it.
  private static func refuseForeignLog(of path: StorePath) throws(StoreError) {
    guard hasLog(path), isInWALMode(path.file) == false, !removeKeptLog(path), hasLog(path) else { return }
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

  /// Byte 18 of the header (https://www.sqlite.org/fileformat2.html): 2 is WAL mode. Nil where it has none.
  private static func isInWALMode(_ path: String) -> Bool? {
    let descriptor = Glibc.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    return isInWALMode(descriptor)
  }

  private static func isInWALMode(_ descriptor: Int32) -> Bool? {
    var version: UInt8 = 0
    guard pread(descriptor, &version, 1, 18) == 1 else { return nil }
    return version == 2
  }

  /// - Parameter inWALMode: of a file in another mode readers have locks while they read, and there is no log.
  private static func isLocked(
    _ path: String, _ bytes: (first: off_t, count: off_t), inWALMode: Bool = false
  ) -> Bool {
    let descriptor = Glibc.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    if inWALMode {
      guard isInWALMode(descriptor) == true else { return false }
    }
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    lock.l_whence = Int16(SEEK_SET)
    (lock.l_start, lock.l_len) = bytes
    return fcntl(descriptor, lockOfAnybody, &lock) == 0 && lock.l_type != Int16(F_UNLCK)
  }
}
