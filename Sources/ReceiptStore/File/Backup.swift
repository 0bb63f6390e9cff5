import GRDB
import Glibc

extension ReceiptStore {
  /// Copies a consistent state of the store to a file, which appears once it is complete and checked.
  ///
  /// - Parameter replacing: Whether an existing copy, or an empty file, may be replaced. The existing file
  ///   remains until the new copy is complete.
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

  /// Calls `body` with a consistent state of the store; if the store is damaged, the error contains `advice`.
  func readWhole(advice: String, _ body: (Database) throws -> Void) throws {
    do {
      // Errors of `body` are not about this store, so `read` must not wrap them.
      try read("copy") { db in Result { try body(db) } }.get()
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
      // SQLite may report the error for either of the two files, but the damaged one is this store.
      try checkWhole(error.message ?? "\(error.resultCode)", advice: advice)
    }
  }

  func checkWhole(_ finding: String, advice: String) throws(StoreError) {
    guard finding != "ok" else { return }
    throw StoreError("\(path) is damaged (\(finding)), and no part of the copy was kept; \(advice)")
  }

  private func refuse(_ path: String, replacing: Bool) throws(StoreError) {
    if let owner = StorePath.owner(ofCompanion: path) {
      throw StoreError(.misused, "SQLite would treat that as a part of \(owner); pass another file")
    }
    var about = stat()
    guard lstat(path, &about) == 0 else { return }
    try refuseItself(path)
    guard about.st_mode & S_IFMT == S_IFREG else {
      throw StoreError(.misused, "that is not a regular file; pass another")
    }
    guard replacing else { throw StoreError(.misused, "the file exists already; pass another, or --replace") }
    guard about.st_size == 0 || Self.isStore(path) else {
      throw StoreError(
        .misused,
        "that is neither a copy nor a store, and --replace replaces nothing else; pass another file, or remove it"
      )
    }
    guard stat(path + "-wal", &about) != 0 || about.st_size == 0 else {
      throw StoreError(
        .misused, "that is a store with its own log, \(path)-wal; pass another, or use `subtop restore`")
    }
  }

  private static func refuseStoreInUse(_ path: String) throws(StoreError) {
    guard access(path, F_OK) == 0 else { return }
    do {
      try StoreConnections.alone(with: path).close()
    } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
      throw StoreError(.misused, "another program has that open as its store; pass another file")
    } catch {
      // A damaged file may be replaced.
    }
  }

  func refuseItself(_ path: String) throws(StoreError) {
    guard let place, let resolved = realpath(path, nil) else { return }
    defer { free(resolved) }
    guard ![place.file, place.log, place.index].contains(String(cString: resolved)) else {
      throw StoreError(.misused, "that is the store itself; pass another file")
    }
  }

  /// Returns whether a file has a store's application id (*SQLite › Database File Format*).
  ///
  /// SQLite must not have the file open in this process: closing the descriptor would release its locks.
  private static func isStore(_ path: String) -> Bool {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var header = [UInt8](repeating: 0, count: 72)
    return Glibc.read(descriptor, &header, header.count) == header.count
      && header.starts(with: "SQLite format 3\0".utf8)
      && header[68...].reduce(0) { $0 << 8 | Int($1) } == Schema.applicationID
  }
}
