import Files
import GRDB
import Glibc

extension ReceiptStore {
  public static func checkCopy(at path: String) throws(StoreError) {
    var about = stat()
    let code = stat(path, &about) == 0 ? 0 : errno
    guard code == 0, about.st_mode & S_IFMT == S_IFREG else {
      let (kind, reason): (StoreError.Kind, String) =
        switch code {
        case 0: (.missing, "it is \(StorePath.kind(of: about))")
        case ENOENT, ENOTDIR: (.missing, "the copy does not exist")
        default: (code == EACCES ? .notPermitted : .unusable, String(cString: strerror(code)))
        }
      throw StoreError(kind, "cannot restore \(path): \(reason); pass a file made by `subtop backup`")
    }
    // Another user could change the file while it is read.
    guard about.st_uid == geteuid() || about.st_uid == 0 else {
      throw StoreError(
        .notPermitted,
        "cannot restore \(path): the copy belongs to \(StorePermissions.name(of: about.st_uid)), who can change it; if "
          + "you trust them, copy it to a file of your own with `cp`, and restore that")
    }
  }

  /// Replaces the content of the store at `path` with the content of this store, which is a copy.
  ///
  /// A readable store is replaced in one SQLite transaction, so it is consistent at every instant.
  ///
  /// - Returns: Path of the file, beside the store, with the earlier content; `nil` if there was no store.
  public func restore(
    to path: String, replacing: Bool, unfinished: UnfinishedCopy = UnfinishedCopy(),
    progress: @escaping @Sendable (Int, Int) -> Void = { _, _ in }
  ) throws(StoreError) -> String? {
    do {
      try refuseItself(path)
      guard access(path, F_OK) == 0 else {
        if let dangling = StorePath.dangling(path) { throw StoreError(dangling) }
        try StorePath.makeRoom(path)
        try copy(
          to: path, unfinished, replacing: false, advice: Self.pass, check: Self.wholeness, progress: progress
        )
        return nil
      }
      let place = try StorePath(path, .existing)
      guard replacing else {
        throw StoreError(
          .misused, "a store exists already; --replace keeps it under another name, or pass another --store"
        )
      }
      let kept = Self.freeName(beside: place.file)
      guard let live = try Self.takeOver(place.file) else {
        try copy(
          to: place.file, unfinished, replacing: false, advice: Self.pass, check: Self.wholeness,
          progress: progress
        ) {
          try Self.move(place.file, to: kept)
        }
        return kept
      }
      try live.writeWithoutTransaction { live in
        try replace(live, at: place, keeping: kept, unfinished, progress: progress)
      }
      try live.close()
      return kept
    } catch {
      throw StoreError("restore \(self.path) to", at: path, error)
    }
  }

  private static let pass = "pass an earlier copy"

  private func replace(
    _ live: Database, at place: StorePath, keeping kept: String, _ unfinished: UnfinishedCopy,
    progress: @escaping (Int, Int) -> Void
  ) throws {
    try readWhole(advice: Self.pass) { copy in
      try checkWhole(try Self.wholeness(copy), advice: Self.pass)
      try unfinished.write(
        live, to: kept, beside: place.file, replacing: false, progress: { _, _ in }, check: { _ in })
      do {
        try UnfinishedCopy.copyPages(of: copy, to: live, progress: progress)
      } catch {
        unlink(kept)
        throw error
      }
    }
    _ = try? live.checkpoint(.truncate)
  }

  /// Opens a store for exclusive use, including its log; `nil` if SQLite cannot read it.
  private static func takeOver(_ file: String) throws -> DatabaseQueue? {
    do {
      return try StoreConnections.alone(with: file)
    } catch let error as DatabaseError {
      switch error.resultCode {
      case .SQLITE_NOTADB, .SQLITE_CORRUPT, .SQLITE_TOOBIG, .SQLITE_ERROR: return nil
      case .SQLITE_BUSY:
        throw StoreError("another program has it open; stop all running subtop programs first")
      default: throw error
      }
    }
  }

  private static func freeName(beside file: String) -> String {
    var (name, number) = (file + ".replaced", 1)
    while ([""] + StorePath.companions).contains(where: { access(name + $0, F_OK) == 0 }) {
      number += 1
      name = "\(file).replaced-\(number)"
    }
    return name
  }

  private static func move(_ file: String, to kept: String) throws(StoreError) {
    for suffix in StorePath.companions + [""] {
      guard rename(file + suffix, kept + suffix) == 0 || errno == ENOENT else {
        throw StoreError("cannot rename \(file + suffix) to \(kept + suffix): \(errorText)")
      }
    }
    TrustedFolder.sync(TrustedFolder.parent(of: file))
  }
}
