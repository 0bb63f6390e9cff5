import GRDB
import Glibc

extension ReceiptStore {
  /// Unfinished copies of `backup` and `restore` that nobody works on any more; the next of the same name removes them.
  public static func leftovers(beside path: String) -> [String] {
    guard let resolved = realpath(path, nil) else { return Leftovers.beside(path) }
    defer { free(resolved) }
    return Leftovers.beside(String(cString: resolved))
  }

  /// Puts a checked copy of this store in the place of another, which is kept beside it whole: a log that is left there would
  /// be taken for the copy's and end in a malformed file.
  ///
  /// - Parameter replacing: whether there may be a store already.
  /// - Returns: the earlier store; nil where there was none.
  public func restore(
    to path: String, replacing: Bool, unfinished: UnfinishedCopy = UnfinishedCopy(),
    progress: @escaping @Sendable (Int, Int) -> Void = { _, _ in }
  ) throws(StoreError) -> KeptStore? {
    do {
      try refuseItself(path)
      try refuseForeignCopy()
      let place = try ReplacedStore(path, replacing: replacing)
      let copy = try StoreCopy(to: place.file, unfinished)
      do {
        try copy.fill(from: self, advice: "pass an earlier copy", progress: progress)
        let kept = place.kept
        try copy.putInPlace(at: place.file, replacing: false, keeping: kept?.path) { () throws(StoreError) in
          try place.keepLog()
        }
        place.removeLog()
        copy.letGo()
        return kept
      } catch {
        copy.remove()
        place.putBackLog()
        throw error
      }
    } catch {
      throw StoreError("restore \(self.path) to", at: path, error)
    }
  }
}

/// A store that made room for another.
public struct KeptStore: Sendable {
  public var path: String
  /// Whether its log was removed or cut off while nobody had it open. What is left of it lies beside, and whoever opens the store is told.
  public var missesCommits: Bool
}

/// A store that is to make room for another: nobody has it open, and nobody can open it meanwhile.
private final class ReplacedStore {
  let file: String
  /// Nil where there is none.
  private let descriptor: Int32?
  private let keptPath: String
  private let missesCommits: Bool
  /// Keeps out whoever has looked at the file and has yet to open it.
  private let lock: StoreLock?

  /// From SQLite's os.h: the bytes that it locks, of which whoever opens a file in WAL mode holds some.
  private static let lockBytes = ByteLock(first: 0x4000_0000, count: 512)

  init(_ path: String, replacing: Bool) throws(StoreError) {
    guard access(path, F_OK) == 0 else {
      if let dangling = StorePath.dangling(path) { throw StoreError(dangling) }
      try StorePath.makeRoom(path)
      (file, descriptor, keptPath, missesCommits, lock) = (path, nil, "", false, nil)
      return
    }
    let place = try StorePath(path, .existing)
    guard replacing else {
      throw StoreError(
        .misused, "there is a store already; --replace keeps it under another name, or pass another --store")
    }
    guard !OtherPrograms.isOpenHere(place.identity) else { throw Self.inUse }
    let opened = open(place.file, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
    guard opened >= 0 else { throw StoreError("\(errorText); pass another --store") }
    lock = StoreLock(.exclusive, of: place.file)
    (file, descriptor, keptPath) = (place.file, opened, Self.freeName(beside: place.file))
    missesCommits = LogIndex.misses(place)
    guard let lock else { throw Self.inUse }
    guard lock.identity == place.identity else { throw OpenFile.replaced }
    guard Self.lockBytes.set(F_WRLCK, opened) else { throw Self.inUse }
    // Let go of for SQLite, to which it is another program's.
    _ = Self.lockBytes.set(F_UNLCK, opened)
    // What is left of a log would go into the file, and nobody would know that there was more.
    if !missesCommits { Self.makeWhole(file, opened) }
    guard Self.lockBytes.set(F_WRLCK, opened) else { throw Self.inUse }
    try SQLiteLocks.refuseOrphans(of: file)
  }

  private static func freeName(beside file: String) -> String {
    var about = stat()
    var (name, number) = (file + ".replaced", 1)
    while ([""] + SQLiteCompanions.suffixes).contains(where: { lstat(name + $0, &about) == 0 }) {
      number += 1
      name = "\(file).replaced-\(number)"
    }
    return name
  }

  deinit {
    if let descriptor { close(descriptor) }
  }

  private static var inUse: StoreError {
    StoreError("a program has it open; end every subtop first")
  }

  /// Nil where there is none.
  var kept: KeptStore? {
    descriptor == nil ? nil : KeptStore(path: keptPath, missesCommits: missesCommits)
  }

  /// What SQLite could not bring into the file gets a second name, so that both names of the file have it beside them.
  func keepLog() throws(StoreError) {
    guard descriptor != nil else { return }
    for suffix in ["-wal", "-journal"] + (missesCommits ? ["-shm"] : []) {
      // A journal would be undone in the copy, a log is refused beside it.
      let isUndone = suffix == "-journal"
      let (from, to) = (file + suffix, keptPath + suffix)
      guard (isUndone ? rename(from, to) : link(from, to)) == 0 || errno == ENOENT else {
        throw StoreError("cannot keep \(from) as \(to): \(errorText)")
      }
    }
    StorePath.syncFolder(StorePath.folder(of: file))
  }

  /// Where the copy did not get there.
  func putBackLog() {
    var about = stat()
    guard descriptor != nil, lstat(keptPath, &about) != 0 else { return }
    unlink(keptPath + "-wal")
    unlink(keptPath + "-shm")
    rename(keptPath + "-journal", file + "-journal")
  }

  /// Once the copy is there.
  func removeLog() {
    guard descriptor != nil else { return }
    unlink(file + "-wal")
    unlink(file + "-shm")
    StorePath.syncFolder(StorePath.folder(of: file))
  }

  /// Has the file hold what its log holds, or undone what its journal is to undo. Where it is too damaged for that, these stay.
  private static func makeWhole(_ file: String, _ descriptor: Int32) {
    var version: UInt8 = 0
    var configuration = Configuration()
    configuration.prepareDatabase(StoreConnections.harden)
    guard pread(descriptor, &version, 1, 18) == 1,
      let queue = try? DatabaseQueue(path: file, configuration: configuration)
    else { return }
    let sql = version == 2 ? "PRAGMA wal_checkpoint(TRUNCATE)" : "SELECT count(*) FROM sqlite_schema"
    try? queue.writeWithoutTransaction { try $0.execute(sql: sql) }
    try? queue.close()
  }
}
