import Glibc

/// Holds a store's file for those who use it, or keeps them off while it changes its name.
///
/// Of flock(2), which does not meet the locks that SQLite has on the file, ends with its process, and stays with the file
/// whatever that is called.
final class StoreLock: Sendable {
  enum Kind { case shared, exclusive }

  private let descriptor: Int32

  /// Nil where another has it, or where it cannot be opened.
  init?(_ kind: Kind, of path: String) {
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    guard Self.take(kind, descriptor) else {
      close(descriptor)
      return nil
    }
    self.descriptor = descriptor
  }

  /// Of a file that was just made, or that nobody else may have.
  init?(exclusive descriptor: Int32) {
    guard Self.take(.exclusive, descriptor) else { return nil }
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// The file that is held, whatever its name.
  var identity: FileIdentity? {
    var about = stat()
    return fstat(descriptor, &about) == 0 ? FileIdentity(about) : nil
  }

  /// A file system without such locks is taken as one where nobody has it.
  private static func take(_ kind: Kind, _ descriptor: Int32) -> Bool {
    let operation = kind == .shared ? LOCK_SH : LOCK_EX
    return flock(descriptor, operation | LOCK_NB) == 0 || errno != EWOULDBLOCK
  }
}
