import Glibc
import Synchronization

/// Where a copy of a store lies until it is whole. Its name is one that nobody else has, and nothing else is ever removed.
///
/// Made, put in place and removed one at a time: whoever is told to end removes what there is then.
public final class UnfinishedCopy: Sendable {
  private struct Made {
    let path: String
    let lock: StoreLock
  }

  private let made = Mutex<Made?>(nil)
  /// Of a copy that has its name, while something is still to be done beside it.
  private let placed = Mutex<StoreLock?>(nil)
  private let renaming: FlaggedRename

  public convenience init() { self.init(renaming: FlaggedRename()) }

  package init(renaming: FlaggedRename) { self.renaming = renaming }

  /// Makes an empty file (0600) in the folder that the copy is to lie in, after those that killed programs left there.
  package func make(beside path: String) throws(StoreError) -> String {
    try made.withLock { made throws(StoreError) in
      Leftovers.remove(beside: path)
      let new = try Self.newFile(beside: path)
      made = new
      return new.path
    }
  }

  /// Until it is locked it looks like what a killed program left, so that another may have removed it: then it is made again.
  private static func newFile(beside path: String) throws(StoreError) -> Made {
    for _ in 0..<100 {
      var template = Leftovers.template(for: path).utf8CString.map(\.self)
      let descriptor = mkstemp(&template)
      guard descriptor >= 0 else {
        throw StoreError(
          "cannot make a file beside it: \(errorText); its folder has to be one that can be written to")
      }
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      let unfinished = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } } ?? ""
      guard let lock = StoreLock(exclusive: descriptor) else {
        close(descriptor)
        unlink(unfinished)
        continue
      }
      if FileIdentity(at: unfinished) == lock.identity { return Made(path: unfinished, lock: lock) }
    }
    throw StoreError("cannot make a file beside it: others remove each that is made")
  }

  /// Gives it its name; what is there is replaced only where that is wanted.
  ///
  /// - Parameter keeping: the name that what is there gets, in the same instant; nil where nothing is to be kept.
  func put(
    at path: String, replacing: Bool, keeping kept: String?, makingRoom: () throws(StoreError) -> Void
  ) throws(StoreError) {
    try made.withLock { made throws(StoreError) in
      guard let unfinished = made?.path else { throw StoreError("it was stopped") }
      try makingRoom()
      if let kept {
        try swap(unfinished, path, keeping: kept)
      } else if replacing {
        guard rename(unfinished, path) == 0 else { throw StoreError(errorText) }
      } else {
        try moveWhereNoneIs(unfinished, to: path)
      }
      placed.withLock { $0 = made?.lock }
      made = nil
    }
    StorePath.syncFolder(StorePath.folder(of: path))
  }

  private func moveWhereNoneIs(_ unfinished: String, to path: String) throws(StoreError) {
    if renaming.move(unfinished, to: path, .withoutReplacing) { return }
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
  private func swap(_ unfinished: String, _ path: String, keeping kept: String) throws(StoreError) {
    try moveWhereNoneIs(unfinished, to: kept)
    if renaming.move(kept, to: path, .exchanging) { return }
    let (number, reason) = (errno, errorText)
    guard rename(kept, unfinished) == 0 else { throw StoreError("\(reason); the copy is now \(kept)") }
    guard number == EINVAL || number == ENOSYS else { throw StoreError(reason) }
    // With a second name first, so that there is a store at the path all the same.
    guard link(path, kept) == 0 || rename(path, kept) == 0 else { throw StoreError(errorText) }
    guard rename(unfinished, path) == 0 else {
      throw StoreError("\(errorText); the store that was there is now \(kept)")
    }
  }

  /// Whoever has seen the copy at its place may open it from now on.
  func letGo() { placed.withLock { $0 = nil } }

  public func remove() {
    made.withLock { made in
      // With what SQLite has beside it, of whoever was stopped in the middle.
      if let made { Leftovers.remove(made.path) }
      made = nil
    }
  }
}

/// renameat2(2), which Glibc's headers keep for those who define _GNU_SOURCE.
package struct FlaggedRename: Sendable {
  enum Flag: UInt32 {
    case withoutReplacing = 1
    case exchanging = 2
  }

  /// Not every file system can, nor every kernel.
  private let isThere: Bool

  package init(isThere: Bool = true) { self.isThere = isThere }

  private typealias Call =
    @convention(c) (Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32) -> Int32

  /// Whether it was done; errno says why not.
  func move(_ from: String, to path: String, _ flag: Flag) -> Bool {
    guard isThere, let symbol = dlsym(nil, "renameat2") else {
      errno = ENOSYS
      return false
    }
    return unsafeBitCast(symbol, to: Call.self)(AT_FDCWD, from, AT_FDCWD, path, flag.rawValue) == 0
  }
}
