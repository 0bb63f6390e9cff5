import Glibc

/// Kind of a file by its header: *SQLite › Database File Format › The Database Header*.
enum DatabaseHeader: Equatable {
  case sqlite(applicationID: Int)
  case empty
  case other
  /// The file cannot be read; the value is the reason.
  case unreadable(String)

  private static let magic = Array("SQLite format 3\0".utf8)
  private static let applicationID = 68..<72

  /// Reads a header. The file must not be open in SQLite in this process, since closing the descriptor would
  /// release SQLite's locks.
  init(of path: String) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else {
      self = .unreadable(errorText)
      return
    }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: Self.applicationID.upperBound)
    let count = Glibc.read(descriptor, &bytes, bytes.count)
    self =
      switch count {
      case ..<0: .unreadable(errorText)
      case 0: .empty
      case _ where count >= Self.magic.count && bytes.starts(with: Self.magic):
        .sqlite(applicationID: bytes[Self.applicationID].reduce(0) { $0 << 8 | Int($1) })
      default: .other
      }
  }
}
