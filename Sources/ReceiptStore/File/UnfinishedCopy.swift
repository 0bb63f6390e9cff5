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
  ///
  /// - Parameter keeping: the name that what is there gets, in the same instant; nil where nothing is to be kept.
  func put(
    at path: String, replacing: Bool, keeping kept: String?, makingRoom: () throws(StoreError) -> Void
  ) throws(StoreError) {
    try made.withLock { made throws(StoreError) in
      guard let unfinished = made else { throw StoreError("it was stopped") }
      try makingRoom()
      if let kept {
        try Self.swap(unfinished, path, keeping: kept)
      } else if replacing {
        guard rename(unfinished, path) == 0 else { throw StoreError(errorText) }
      } else {
        try Self.moveWhereNoneIs(unfinished, to: path)
      }
      made = nil
    }
    StorePath.syncFolder(StorePath.folder(of: path))
  }

  private static func moveWhereNoneIs(_ unfinished: String, to path: String) throws(StoreError) {
    if FlaggedRename.withoutReplacing.move(unfinished, to: path) { return }
    if errno == EINVAL || errno == ENOSYS {
      // Not every file system can do it at once; a link refuses what has come there meanwhile as well.
      if link(unfinished, path) == 0 {
        unlink(unfinished)
        return
      }
      if errno != EEXIST, rename(unfinished, path) == 0 { return }
    }
    guard errno != EEXIST else {
      throw StoreError(.misused, "there is a file already; pass another, or --replace")
    }
    throw StoreError(errorText)
  }

  /// The copy gets the name that is to be the other's, and then the two are exchanged: there is a whole store at the path at
  /// every instant, and none has two names.
  private static func swap(_ unfinished: String, _ path: String, keeping kept: String) throws(StoreError) {
    try moveWhereNoneIs(unfinished, to: kept)
    if FlaggedRename.exchanging.move(kept, to: path) { return }
    let (number, reason) = (errno, errorText)
    guard rename(kept, unfinished) == 0 else { throw StoreError("\(reason); the copy is now \(kept)") }
    guard number == EINVAL || number == ENOSYS else { throw StoreError(reason) }
    guard rename(path, kept) == 0 else { throw StoreError(errorText) }
    guard rename(unfinished, path) == 0 else {
      throw StoreError("\(errorText); the store that was there is now \(kept)")
    }
  }

  public func remove() {
    made.withLock { made in
      if let made {
        unlink(made)
        // SQLite's, of whoever was stopped in the middle.
        for suffix in ["-journal", "-wal", "-shm"] { unlink(made + suffix) }
      }
      made = nil
    }
  }
}

/// renameat2(2), which Glibc's headers keep for those who define _GNU_SOURCE.
private enum FlaggedRename: UInt32 {
  case withoutReplacing = 1
  case exchanging = 2

  private typealias Call =
    @convention(c) (Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32) -> Int32

  /// Whether it was done; errno says why not.
  func move(_ from: String, to path: String) -> Bool {
    guard let symbol = dlsym(nil, "renameat2") else {
      errno = ENOSYS
      return false
    }
    return unsafeBitCast(symbol, to: Call.self)(AT_FDCWD, from, AT_FDCWD, path, rawValue) == 0
  }
}
