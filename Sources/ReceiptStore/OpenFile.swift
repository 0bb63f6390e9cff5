import Glibc

/// Which file a store was opened as. SQLite would go on writing into one that was removed, where nobody finds it again.
struct OpenFile: Sendable {
  private let device: UInt64
  private let inode: UInt64

  /// Nil where there is no file at the path.
  init?(at path: String) {
    var about = stat()
    guard stat(path, &about) == 0 else { return nil }
    device = UInt64(about.st_dev)
    inode = UInt64(about.st_ino)
  }

  /// Costs a microsecond or two, so it is done before every read and write.
  func check(at path: String) throws(StoreError) {
    guard let there = OpenFile(at: path) else {
      throw StoreError("it was removed while it was open; put it back or import again, and start anew")
    }
    guard there.device == device, there.inode == inode else {
      throw StoreError("it was replaced while it was open; start anew to go on with the new one")
    }
  }
}
