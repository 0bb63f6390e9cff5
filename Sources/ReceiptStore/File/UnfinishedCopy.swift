import Glibc
import Synchronization

/// Where a copy of a store lies until it is whole. Its name is one that nobody else has, and nothing else is ever removed.
///
/// Made, put in place and removed one at a time: whoever is told to end removes what there is then.
public final class UnfinishedCopy: Sendable {
  private let made = Mutex<String?>(nil)

  public init() {}

  /// Makes an empty file (0600) in the folder that the copy is to lie in.
  func make(beside path: String) throws(StoreError) -> String {
    try made.withLock { made throws(StoreError) in
      let name = path.lastIndex(of: "/").map { path[path.index(after: $0)...] } ?? path[...]
      var template = "\(StorePath.folder(of: path))/.\(name).XXXXXX".utf8CString.map(\.self)
      let descriptor = mkstemp(&template)
      guard descriptor >= 0 else { throw StoreError("cannot make a file beside it: \(errorText)") }
      close(descriptor)
      let unfinished = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } } ?? ""
      made = unfinished
      return unfinished
    }
  }

  /// Gives it its name; what is there is replaced only where that is wanted.
  func put(
    at path: String, replacing: Bool, makingRoom: () throws(StoreError) -> Void
  ) throws(StoreError) {
    try made.withLock { made throws(StoreError) in
      guard let unfinished = made else { throw StoreError("it was stopped") }
      try makingRoom()
      // A link refuses what has come there meanwhile; a file system without links says so.
      if !replacing, link(unfinished, path) == 0 {
        unlink(unfinished)
      } else if !replacing, errno == EEXIST {
        throw StoreError(.misused, "there is a file already; pass another, or --replace")
      } else if rename(unfinished, path) != 0 {
        throw StoreError(errorText)
      }
      made = nil
    }
    StorePath.syncFolder(StorePath.folder(of: path))
  }

  public func remove() {
    made.withLock { made in
      if let made { unlink(made) }
      made = nil
    }
  }
}
