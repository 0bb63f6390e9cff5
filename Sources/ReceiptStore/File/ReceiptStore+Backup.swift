import GRDB
import Glibc

extension ReceiptStore {
  /// Makes a copy of one state of the store, whatever is written meanwhile: a single file, which is there whole and checked or
  /// not at all.
  ///
  /// - Parameters:
  ///   - unfinished: where the copy lies until it is whole, as `unfinishedCopy` names it.
  ///   - replacing: whether a file that is there already may be replaced; it is there until its successor is.
  ///   - progress: pages copied, of all.
  public func backUp(
    to path: String, by unfinished: String? = nil, replacing: Bool,
    progress: @escaping @Sendable (Int, Int) -> Void = { _, _ in }
  ) throws(StoreError) {
    do {
      let copy = try StoreCopy(
        path, by: unfinished ?? Self.unfinishedCopy(path), of: place, replacing: replacing)
      do {
        try read("copy") { db in try copy.fill(from: db, progress: progress) }
        try copy.check()
        try copy.putInPlace(replacing: replacing)
      } catch {
        copy.remove()
        throw error
      }
    } catch {
      throw StoreError("copy the store \(self.path) to", at: path, error)
    }
  }

  /// Where a copy may lie until it is whole: a name that nobody else has, so that whoever is told to end meanwhile may remove it.
  public static func unfinishedCopy(_ path: String) -> String {
    let name = path.split(separator: "/").last.map(String.init) ?? ""
    return "\(StorePath.folder(of: path))/.\(name).\(String(UInt64.random(in: 0...(.max)), radix: 16))"
  }
}

/// A copy of a store in the making.
private struct StoreCopy {
  private let path: String
  private let unfinished: String
  private let queue: DatabaseQueue

  private static let pagesPerStep: CInt = 1000

  init(_ path: String, by unfinished: String, of store: StorePath, replacing: Bool) throws(StoreError) {
    (self.path, self.unfinished) = (path, unfinished)
    try Self.refuse(path, of: store, replacing: replacing)
    let descriptor = open(unfinished, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw StoreError("cannot make \(unfinished): \(errorText)") }
    close(descriptor)
    do {
      var configuration = Configuration()
      configuration.prepareDatabase { db in
        // Where it does not become whole it is thrown away, so that nothing has to be undone.
        try db.execute(sql: "PRAGMA journal_mode = OFF; PRAGMA locking_mode = EXCLUSIVE")
      }
      queue = try DatabaseQueue(path: unfinished, configuration: configuration)
    } catch {
      unlink(unfinished)
      throw StoreError("make", at: unfinished, error)
    }
  }

  private static func refuse(_ path: String, of store: StorePath, replacing: Bool) throws(StoreError) {
    var about = stat()
    guard lstat(path, &about) == 0 else { return }
    let own = [store.file, store.log, store.index].compactMap(FileIdentity.init(at:))
    guard !own.contains(FileIdentity(about)), FileIdentity(at: path).map(own.contains) != true else {
      throw StoreError(.misused, "that is the store itself; pass another file")
    }
    guard replacing else {
      throw StoreError(.misused, "there is a file already; pass another, or --replace")
    }
    guard about.st_mode & S_IFMT == S_IFREG else {
      throw StoreError(.misused, "that is not a regular file; pass another")
    }
  }

  func fill(from store: Database, progress: @escaping (Int, Int) -> Void) throws {
    try queue.writeWithoutTransaction { copy in
      try store.backup(to: copy, pagesPerStep: Self.pagesPerStep) { step in
        progress(step.completedPageCount, step.totalPageCount)
      }
      // As copied it says that it has a log beside it.
      try copy.execute(sql: "PRAGMA journal_mode = DELETE")
    }
  }

  func check() throws {
    let said = try queue.read(ReceiptStore.integrity)
    guard said == "ok" else {
      throw StoreError("the store is damaged, and so would be the copy, of which nothing was kept: \(said)")
    }
  }

  func putInPlace(replacing: Bool) throws {
    try queue.close()
    let descriptor = open(unfinished, O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else { throw StoreError("it was removed while it was made") }
    let isSynced = fsync(descriptor) == 0
    close(descriptor)
    guard isSynced else { throw StoreError(errorText) }
    // A link refuses what has come there meanwhile; a file system without links says so.
    if !replacing, link(unfinished, path) == 0 {
      unlink(unfinished)
    } else if !replacing, errno == EEXIST {
      throw StoreError(.misused, "there is a file already; pass another, or --replace")
    } else if rename(unfinished, path) != 0 {
      throw StoreError(errorText)
    }
    StorePath.syncFolder(StorePath.folder(of: path))
  }

  func remove() {
    try? queue.close()
    unlink(unfinished)
  }
}
