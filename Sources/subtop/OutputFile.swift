import Glibc

/// Files as this program writes them: whole, and readable by their owner alone.
enum OutputFile {
  /// Fails with `errno` set, and leaves nothing behind, where not all of it could be written.
  ///
  /// - Parameter mayReplace: whether a file that is there already is written over.
  static func write(_ bytes: [UInt8], to path: String, mayReplace: Bool) -> Bool {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | (mayReplace ? O_TRUNC : O_EXCL), 0o600)
    guard descriptor >= 0 else { return false }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        let reason = errno
        close(descriptor)
        unlink(path)
        errno = reason
        return false
      }
      rest = rest.dropFirst(count)
    }
    return close(descriptor) == 0
  }
}
