import Glibc

/// Log of complete lines that several processes append to; it is renamed to `NAME.1` when it is full.
public struct RotatingLog: Sendable {
  private let folder: String
  private let path: String
  private let limit: Int

  /// Creates a log that is renamed to `NAME.1` before it exceeds `limit` bytes.
  public init(folder: String, name: String, limit: Int) {
    (self.folder, path, self.limit) = (folder, "\(folder)/\(name)", limit)
  }

  public func append(_ line: String) throws(FileProblem) {
    _ = try OwnFolder(making: folder)
    while true {
      let file = try openLog()
      defer { close(file) }
      let isLocked = Self.lock(file)
      var (status, named) = (stat(), stat())
      guard fstat(file, &status) == 0 else { throw .system(path, errno) }
      // Another process may have rotated the log before this process locked it.
      if isLocked, lstat(path, &named) != 0 || named.st_ino != status.st_ino || named.st_dev != status.st_dev
      {
        continue
      }
      if isLocked, status.st_size > 0, Int(status.st_size) + line.utf8.count > limit {
        guard rename(path, path + ".1") == 0 else { throw Self.problem(at: path + ".1", errno) }
        continue
      }
      do throws(FileProblem) {
        return try NewFile.append(Array(line.utf8), to: file, path)
      } catch {
        // Removes a partial line, for example after the disk became full.
        if isLocked { ftruncate(file, status.st_size) }
        throw error
      }
    }
  }

  private func openLog() throws(FileProblem) -> Int32 {
    let file = open(
      path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw Self.problem(at: path, errno) }
    var status = stat()
    do throws(FileProblem) {
      guard fstat(file, &status) == 0 else { throw .system(path, errno) }
      try status.checkOwnFile(path)
      return file
    } catch {
      close(file)
      throw error
    }
  }

  /// Returns why a log cannot be opened or replaced.
  ///
  /// The system's error alone is not clear: it is `ENXIO` for a socket or for a pipe without a reader, and
  /// `EISDIR` for a folder.
  private static func problem(at path: String, _ code: Int32) -> FileProblem {
    var status = stat()
    guard lstat(path, &status) == 0 else { return .system(path, code) }
    switch status.type {
    case S_IFLNK: return .link(path)
    case S_IFREG: return status.isOwn ? .system(path, code) : .foreign(path, owner: status.st_uid)
    default: return .notRegular(path)
    }
  }

  /// Locks a log; `false` if the file system has no locks, or if another process keeps the lock for a second.
  private static func lock(_ file: Int32) -> Bool {
    for _ in 0..<2_000 {
      if flock(file, LOCK_EX | LOCK_NB) == 0 { return true }
      guard errno == EWOULDBLOCK || errno == EINTR else { return false }
      usleep(500)
    }
    return false
  }
}
