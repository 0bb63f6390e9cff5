import Glibc

/// A log of whole lines that several processes write to at once. One that grew too long becomes the old one, `NAME.1`, which
/// the next replaces.
public struct RotatingLog: Sendable {
  private let folder: String
  private let name: String
  private let limit: Int

  private var path: String { "\(folder)/\(name)" }

  /// - Parameter limit: bytes of the log at the most; the old one has as many again.
  public init(folder: String, name: String, limit: Int) {
    (self.folder, self.name, self.limit) = (folder, name, limit)
  }

  public func append(_ line: String) throws(FileProblem) {
    let bytes = Array(line.utf8)
    let folder = try OwnFolder(making: folder).descriptor
    while true {
      let file = try open(in: folder)
      let isLocked = Self.lock(file)
      let status = try file.status(of: path)
      // Another process may have rotated it between the opening and the lock.
      if isLocked, try !isCurrent(status, in: folder) { continue }
      if isLocked, status.st_size > 0, Int(status.st_size) + bytes.count > limit {
        guard renameat(folder.number, name, folder.number, name + ".1") == 0 else {
          throw Self.problem(errno, name + ".1", in: folder, path + ".1") ?? .system(path, errno)
        }
        continue
      }
      do throws(FileProblem) {
        return try file.write(bytes, to: path)
      } catch {
        // Half a line on a full disk.
        if isLocked { ftruncate(file.number, status.st_size) }
        throw error
      }
    }
  }

  /// The path of the log, looked at as before a line is added to it; nil where there is none yet. Makes and changes nothing.
  public func existing() throws(FileProblem) -> String? {
    guard access(path, F_OK) == 0 else { return nil }
    _ = try open(in: try OwnFolder(making: folder).descriptor, creating: 0)
    return path
  }

  /// - Parameter creating: the flag by which it is made.
  private func open(
    in folder: Descriptor, creating: Int32 = O_CREAT
  ) throws(FileProblem) -> Descriptor {
    let flags = O_WRONLY | creating | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
    let number = openat(folder.number, name, flags, 0o600)
    if number < 0, let problem = Self.problem(errno, name, in: folder, path) { throw problem }
    let file = try Descriptor(number, of: path)
    let status = try file.status(of: path)
    guard status.type == S_IFREG else { throw .notRegular(path) }
    guard status.isOwn else { throw .foreign(path, owner: status.st_uid) }
    try file.checkNobodyElseWrites(status, path)
    return file
  }

  /// Returns why a log cannot be opened or replaced; `nil` if it is absent or a file of one's own. The system's error alone is not
  /// clear: a pipe without a reader or a socket gives `ENXIO`, a folder `EISDIR`.
  private static func problem(
    _ code: Int32, _ name: String, in folder: Descriptor, _ path: String
  ) -> FileProblem? {
    defer { errno = code }
    var status = stat()
    guard fstatat(folder.number, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
    if status.type == S_IFLNK { return .link(path) }
    if status.type != S_IFREG { return .notRegular(path) }
    return status.isOwn ? nil : .foreign(path, owner: status.st_uid)
  }

  private func isCurrent(_ status: stat, in folder: Descriptor) throws(FileProblem) -> Bool {
    var named = stat()
    guard fstatat(folder.number, name, &named, AT_SYMLINK_NOFOLLOW) == 0 else {
      if errno == ENOENT { return false }
      throw .system(path, errno)
    }
    return named.isSame(as: status)
  }

  /// False where a process that was stopped in mid-line, or a file system without locks, would keep everybody waiting: then
  /// the line goes in without the lock, and the log is not rotated.
  private static func lock(_ file: Descriptor) -> Bool {
    for _ in 0..<2_000 {
      if flock(file.number, LOCK_EX | LOCK_NB) == 0 { return true }
      guard errno == EWOULDBLOCK || errno == EINTR else { return false }
      usleep(500)
    }
    return false
  }
}
