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
      let copy = try StoreCopy(to: path, unfinished)
      do {
        try copy.fill(from: self, advice: StoreError.mending(self.path), progress: progress)
        var replaced: StoreLock?
        try copy.putInPlace(at: path, replacing: replacing) { () throws(StoreError) in
          replaced = try Self.keepOthersOff(path)
        }
        withExtendedLifetime(replaced) { copy.letGo() }
      } catch {
        copy.remove()
        throw error
      }
    } catch {
      throw StoreError("copy the store \(self.path) to", at: path, error)
    }
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

  /// Of a file that is to be replaced. Another backup of the same name has it until it is on the disk, which a busy disk draws out;
  /// a program that has it as its store keeps it.
  private static func keepOthersOff(_ path: String) throws(StoreError) -> StoreLock? {
    let (pause, patienceWithBackups, patienceWithPrograms) = (useconds_t(10_000), 12_000, 200)
    var turnsOfPrograms = 0
    for _ in 0..<patienceWithBackups where turnsOfPrograms < patienceWithPrograms {
      guard let there = FileIdentity(at: path) else { return nil }
      if let lock = StoreLock(.exclusive, of: path), lock.identity == there { return lock }
      if StoreLock.isShared(path) { turnsOfPrograms += 1 }
      usleep(pause)
    }
    throw StoreError(
      .misused,
      turnsOfPrograms < patienceWithPrograms
        ? "another backup has not finished writing that in two minutes; try again later, or pass another file"
        : "a program has that open as its store; pass another file")
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
