import Glibc

/// The locks by which SQLite's users of a file know of each other. A file that is open in this process is not to be looked at:
/// closing the descriptor would let go of SQLite's own locks.
enum SQLiteLocks {
  /// From SQLite's os.h and os_unix.c: the bytes that readers of a file lock, and the one that all who use an index lock.
  private static let sharedBytes = ByteLock(first: 0x4000_0002, count: 510)
  private static let indexByte = ByteLock(first: 128, count: 1)

  /// Whether somebody has a file in WAL mode open: in another mode readers have locks only while they read.
  static func isOpen(_ file: String) -> Bool {
    look(at: file) { isInWALMode($0) == true && isLocked($0, sharedBytes) } ?? false
  }

  static func isIndexInUse(_ index: String) -> Bool {
    look(at: index) { isLocked($0, indexByte) } ?? false
  }

  /// Byte 18 of the header (https://www.sqlite.org/fileformat2.html): 2 is WAL mode. Nil where it has none.
  static func isInWALMode(_ file: String) -> Bool? { look(at: file, isInWALMode) ?? nil }

  /// Where there is no file: whether somebody still has one open that was there.
  static func refuseOrphans(of file: String) throws(StoreError) {
    // Another program may have made one since it was looked for.
    if isIndexInUse(file + "-shm"), access(file, F_OK) != 0 { throw .replacedUnderOthers(file) }
  }

  private static func look<Answer>(at path: String, _ answer: (Int32) -> Answer) -> Answer? {
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    return answer(descriptor)
  }

  private static func isInWALMode(_ descriptor: Int32) -> Bool? {
    var version: UInt8 = 0
    guard pread(descriptor, &version, 1, 18) == 1 else { return nil }
    return version == 2
  }

  private static func isLocked(_ descriptor: Int32, _ bytes: ByteLock) -> Bool {
    (bytes.blocker(descriptor) ?? F_UNLCK) != F_UNLCK
  }
}

extension StoreError {
  static func replacedUnderOthers(_ file: String) -> StoreError {
    StoreError(
      "another program has it open, and it or its log \(file)-wal was removed or replaced meanwhile; "
        + "end that program, then run `subtop status --check`")
  }
}
