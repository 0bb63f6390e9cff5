import Glibc

/// What SQLite's index of a log says while nobody has the store open. The index outlives a program that was killed, as its log
/// does, and is removed before the log where a program ends well.
///
/// https://www.sqlite.org/walformat.html, "The WAL-Index File Format"; its numbers are in the machine's order of bytes.
struct LogIndex {
  private let identity: FileIdentity
  /// Pages in the log, and how many of them are in the file as well.
  private let (frames, copied): (UInt32, UInt32)
  private let pageSize: Int64

  private static let version: UInt32 = 3_007_000
  /// Of the log, and of each of its pages.
  private static let (logHeader, frameHeader): (Int64, Int64) = (32, 24)

  /// Nil where there is none that says anything.
  init?(at path: String) {
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var about = stat()
    var bytes = [UInt8](repeating: 0, count: 100)
    guard fstat(descriptor, &about) == 0, pread(descriptor, &bytes, bytes.count, 0) == bytes.count,
      bytes[0..<48] == bytes[48..<96]
    else { return nil }
    let number = { (offset: Int) in
      bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt32.self) }
    }
    guard number(0) == Self.version, bytes[12] == 1 else { return nil }
    let size = bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 14, as: UInt16.self) }
    identity = FileIdentity(about)
    (frames, copied) = (number(16), number(96))
    pageSize = size == 1 ? 65_536 : Int64(size)
  }

  /// Whether commits are missing that were in the log alone: it is gone or cut off.
  static func misses(_ path: StorePath) -> Bool {
    guard let index = LogIndex(at: path.index), index.frames > index.copied else { return false }
    var about = stat()
    let size = stat(path.log, &about) == 0 ? Int64(about.st_size) : 0
    guard size < logHeader + Int64(index.frames) * (frameHeader + index.pageSize) else { return false }
    // Whoever has closed the store meanwhile has removed the index before the log.
    return FileIdentity(at: path.index) == index.identity
  }
}
