import Glibc

/// A file descriptor, closed when nobody holds it any more.
final class Descriptor: Sendable {
  let number: Int32

  /// - Throws: what `errno` says where the system gave none.
  init(_ number: Int32, of path: String) throws(FileProblem) {
    guard number >= 0 else { throw .system(path, errno) }
    self.number = number
  }

  deinit { close(number) }

  /// Of what was opened, whatever has become of its name since.
  func status(of path: String) throws(FileProblem) -> stat {
    var status = stat()
    guard fstat(number, &status) == 0 else { throw .system(path, errno) }
    return status
  }
}

/// Opens a file to be looked at alone (open(2)). Glibc's headers keep it for those who define _GNU_SOURCE.
package let lookOnly: Int32 = 0o10_000_000

extension stat {
  var type: mode_t { st_mode & S_IFMT }
  /// Whether nobody but its owner may read it, or root gave it to a group that this user is to read it by, as systemd and
  /// Kubernetes hand over credentials.
  var isSecret: Bool {
    st_mode & S_IRWXO == 0 && (st_mode & S_IRWXG == 0 || isRoots)
  }
  /// And this user is not root.
  var isRoots: Bool { st_uid == 0 && geteuid() != 0 }
  /// Whether names in the folder can be changed by their owners and the folder's alone, as in `/tmp`.
  var isSticky: Bool { st_mode & S_ISVTX != 0 }
  /// Root may change everything anyway.
  var isOwn: Bool { st_uid == geteuid() || st_uid == 0 }

  func isSame(as other: stat) -> Bool { st_dev == other.st_dev && st_ino == other.st_ino }
}
