import Glibc

/// Holds a store's file for those who use it, or keeps them off while it changes its name.
///
/// A lock of an open file description (fcntl(2)) on a byte that SQLite has no lock on: it ends with its process, stays with the file
/// whatever that is called, and does not meet those of flock(1), which people put around commands. Whoever may only read the file cannot
/// keep others off it.
package final class StoreLock: Sendable {
  package enum Kind: Sendable { case shared, exclusive }

  private let descriptor: Int32

  /// Nil where another has it, or where it cannot be opened.
  package init?(_ kind: Kind, of path: String) {
    let access = kind == .shared ? O_RDONLY : O_RDWR
    let descriptor = open(path, access | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    guard Self.take(kind, descriptor) else {
      close(descriptor)
      return nil
    }
    self.descriptor = descriptor
  }

  /// Nil where another has it: then the descriptor is still the caller's to close.
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

  /// Whether somebody uses it as a store, rather than keeping others off it.
  static func isShared(_ path: String) -> Bool {
    let descriptor = open(path, O_RDWR | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { return true }
    defer { close(descriptor) }
    return byte.blocker(descriptor) == F_RDLCK
  }

  /// A file system without such locks is taken as one where nobody has it.
  private static func take(_ kind: Kind, _ descriptor: Int32) -> Bool {
    byte.set(kind == .shared ? F_RDLCK : F_WRLCK, descriptor) || (errno != EAGAIN && errno != EACCES)
  }

  /// After those of SQLite's `sharedBytes`.
  private static let byte = ByteLock(first: 0x4000_0400, count: 1)
}
