import GRDB
import GRDBSQLite
import Glibc

/// What SQLite's index of a log says: how many pages of commits the log has, and how many of them are in the file as well. The index
/// outlives a program that was killed, as its log does, and is removed before the log where a program ends well.
///
/// https://www.sqlite.org/walformat.html, "The WAL-Index File Format"; its numbers are in the machine's order of bytes.
struct LogIndex: Equatable {
  /// Pages in the log, and how many of them are in the file as well.
  private let (frames, copied): (UInt32, UInt32)
  private let pageSize: Int64
  /// As the log's header has it, which is new whenever the log begins anew.
  private let salt: [UInt8]

  private static let version: UInt32 = 3_007_000
  private static let length = 100
  /// Of the log, and of each of its pages.
  private static let (logHeader, frameHeader): (Int64, Int64) = (32, 24)
  /// Where the salt stands in the header of a log.
  private static let saltInLog: off_t = 16

  /// Nil where it says nothing, or is being changed.
  private init?(_ bytes: [UInt8]) {
    guard bytes[0..<48] == bytes[48..<96] else { return nil }
    let number = { (offset: Int) in
      bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt32.self) }
    }
    guard number(0) == Self.version, bytes[12] == 1 else { return nil }
    let size = bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 14, as: UInt16.self) }
    (frames, copied) = (number(16), number(96))
    pageSize = size == 1 ? 65_536 : Int64(size)
    salt = Array(bytes[32..<40])
  }

  /// The least size of a log that has all of its pages.
  private var size: Int64 { frames == 0 ? 0 : Self.logHeader + Int64(frames) * (Self.frameHeader + pageSize) }
}

// While nobody has the store open.
extension LogIndex {
  /// Whether commits are missing that were in the log alone: it is gone, cut off or another one.
  static func misses(_ path: StorePath) -> Bool {
    guard let (index, identity) = read(path.index), index.frames > index.copied else { return false }
    guard !isWhole(path.log, by: index) else { return false }
    // Whoever has closed the store meanwhile has removed the index before the log.
    return FileIdentity(at: path.index) == identity
  }

  private static func read(_ path: String) -> (LogIndex, FileIdentity)? {
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var about = stat()
    var bytes = [UInt8](repeating: 0, count: length)
    guard fstat(descriptor, &about) == 0, pread(descriptor, &bytes, length, 0) == length else { return nil }
    return LogIndex(bytes).map { ($0, FileIdentity(about)) }
  }

  private static func isWhole(_ log: String, by index: LogIndex) -> Bool {
    let descriptor = open(log, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var about = stat()
    var salt = [UInt8](repeating: 0, count: index.salt.count)
    return fstat(descriptor, &about) == 0 && Int64(about.st_size) >= index.size
      && pread(descriptor, &salt, salt.count, saltInLog) == salt.count && salt == index.salt
  }
}

// While a connection has the store open.
extension LogIndex {
  /// Whether the log is shorter than what a connection's transactions go by: it was cut off under whoever has it open, and a
  /// checkpoint would copy what is no longer there.
  ///
  /// - Parameter db: within a transaction that has read or written something.
  static func isCutOff(_ log: String, under db: Database) -> Bool {
    guard let before = LogIndex(of: db) else { return false }
    var about = stat()
    guard stat(log, &about) == 0, Int64(about.st_size) < before.size else { return false }
    // A log that begins anew is emptied after its index.
    return LogIndex(of: db) == before
  }

  /// The index in the memory that all who have the file open share. Its file cannot be opened here: closing a descriptor of it would
  /// let go of SQLite's own locks.
  private init?(of db: Database) {
    var file: UnsafeMutablePointer<sqlite3_file>?
    guard sqlite3_file_control(db.sqliteConnection, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK,
      let file, let methods = file.pointee.pMethods, methods.pointee.iVersion >= 2,
      let map = methods.pointee.xShmMap
    else { return nil }
    var memory: UnsafeMutableRawPointer?
    guard map(file, 0, 32768, 0, &memory) == SQLITE_OK, let memory else { return nil }
    self.init(Array(UnsafeRawBufferPointer(start: memory, count: Self.length)))
  }
}
