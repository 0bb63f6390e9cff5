import Glibc

/// Which file it is, whatever it is called: names can be given to other files.
struct FileIdentity: Hashable, Sendable {
  private let device: UInt64
  private let inode: UInt64

  init(_ about: stat) {
    device = UInt64(about.st_dev)
    inode = UInt64(about.st_ino)
  }

  /// Nil where there is no file at the path.
  init?(at path: String) {
    var about = stat()
    guard stat(path, &about) == 0 else { return nil }
    self.init(about)
  }
}

/// What the last system call that failed says.
var errorText: String { String(cString: strerror(errno)) }
