import GRDB
import Glibc

extension ReceiptStore {
  /// Makes a copy of one state of the store, whatever is written meanwhile: a single file, which is there whole and checked or
  /// not at all.
  ///
  /// - Parameters:
  ///   - replacing: whether a copy that is there already may be replaced, or an empty file; it is there until its successor is.
  ///   - unfinished: to be removed by whoever ends the process meanwhile.
  ///   - progress: pages copied, of all.
  public func backUp(
    to path: String, replacing: Bool, unfinished: UnfinishedCopy = UnfinishedCopy(),
    progress: @escaping @Sendable (Int, Int) -> Void = { _, _ in }
  ) throws(StoreError) {
    do {
      try refuse(path, replacing: replacing)
      try StorePath.checkRoom(forCopy: path)
      try copy(
        to: path, unfinished, replacing: replacing, advice: StoreError.mending(self.path), progress: progress)
    } catch {
      throw StoreError("copy the store \(self.path) to", at: path, error)
    }
  }

  /// - Parameters:
  ///   - advice: what to do if this store is damaged.
  ///   - check: returns ok, or what is wrong with the copy.
  ///   - makeRoom: done once the copy is whole, before it gets its name.
  func copy(
    to path: String, _ unfinished: UnfinishedCopy, replacing: Bool, advice: String,
    check: (Database) throws -> String = ReceiptStore.integrity,
    progress: @escaping (Int, Int) -> Void, makeRoom: () throws -> Void = {}
  ) throws {
    try readWhole(advice: advice) { store in
      try unfinished.write(store, to: path, beside: path, replacing: replacing, progress: progress) { made in
        var reading = Configuration()
        reading.readonly = true
        let copy = try DatabaseQueue(path: made, configuration: reading)
        try checkWhole(try copy.read(check), advice: advice)
        if replacing { try Self.refuseStoreInUse(path) }
        try makeRoom()
      }
    }
  }

  /// Reads one state of the store, and says what to do if it is damaged.
  func readWhole(advice: String, _ body: (Database) throws -> Void) throws {
    do {
      // What the body throws is not this store's to explain.
      try read("copy") { db in Result { try body(db) } }.get()
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
      // Of the store that is read, whichever of the two files SQLite told of it.
      try checkWhole(error.message ?? "\(error.resultCode)", advice: advice)
    }
  }

  func checkWhole(_ said: String, advice: String) throws(StoreError) {
    guard said != "ok" else { return }
    throw StoreError("\(path) is damaged (\(said)), and nothing was kept of the copy; \(advice)")
  }

  private func refuse(_ path: String, replacing: Bool) throws(StoreError) {
    if let owner = StorePath.owner(ofCompanion: path) {
      throw StoreError(.misused, "SQLite would take that for a part of \(owner); pass another file")
    }
    var about = stat()
    guard lstat(path, &about) == 0 else { return }
    try refuseItself(path)
    guard about.st_mode & S_IFMT == S_IFREG else {
      throw StoreError(.misused, "that is not a regular file; pass another")
    }
    guard replacing else {
      throw StoreError(.misused, "there is a file already; pass another, or --replace")
    }
    switch DatabaseHeader(of: path) {
    case .sqlite(Schema.applicationID), .empty: break
    case .sqlite, .other:
      throw StoreError(
        .misused,
        "that is neither a copy nor a store, and --replace replaces nothing else; pass another file, or remove that"
      )
    case .unreadable(let reason):
      throw StoreError(
        .misused,
        "whether that is a copy cannot be read (\(reason)), and --replace replaces nothing else; pass another file"
      )
    }
    guard stat(path + "-wal", &about) != 0 || about.st_size == 0 else {
      throw StoreError(
        .misused, "that is a store with a log of its own, \(path)-wal; pass another, or use `subtop restore`")
    }
  }

  private static func refuseStoreInUse(_ path: String) throws(StoreError) {
    guard access(path, F_OK) == 0 else { return }
    do {
      try StoreConnections.alone(with: path).close()
    } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
      throw StoreError(.misused, "a program has that open as its store; pass another file")
    } catch {
      // A damaged copy may be replaced.
    }
  }

  func refuseItself(_ path: String) throws(StoreError) {
    var about = stat()
    guard lstat(path, &about) == 0 else { return }
    let own = [place.file, place.log, place.index].compactMap(FileIdentity.init(at:))
    guard !own.contains(FileIdentity(about)), FileIdentity(at: path).map(own.contains) != true else {
      throw StoreError(.misused, "that is the store itself; pass another file")
    }
  }
}
