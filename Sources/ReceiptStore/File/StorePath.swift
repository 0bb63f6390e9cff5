import Files
import Glibc
import Synchronization

public enum StoreAccess: Sendable {
  /// Reading and writing; a missing file is created, and an empty file becomes a store.
  case readWrite
  case existing
  case readOnly
}

/// Path of a store, checked before SQLite opens the file, because SQLite would modify any database.
///
/// The checks do not open the file. Opening would block on a FIFO or wake a device, and closing a descriptor
/// of the file releases SQLite's locks on it (fcntl(2)).
package struct StorePath: Sendable {
  /// Path with symbolic links resolved, as SQLite does before it puts its log beside the target.
  package let file: String
  let size: off_t
  let readOnlyReason: String?

  var log: String { file + "-wal" }
  var index: String { file + "-shm" }
  /// Suffixes of SQLite's files beside a database: its log, the index of the log, and the rollback journal.
  static let companions = ["-wal", "-shm", "-journal"]

  var hasLog: Bool {
    var about = stat()
    return stat(log, &about) == 0 && about.st_size > 0
  }

  package init(_ path: String, _ access: StoreAccess) throws(StoreError) {
    guard path != ":memory:", !path.isEmpty else { throw StoreError("the store must be a file; pass a path") }
    if access == .readWrite { try Self.make(path) }
    guard let resolved = realpath(path, nil) else {
      guard errno == ENOENT || errno == ENOTDIR else {
        throw StoreError("\(errorText); pass another --store")
      }
      throw StoreError(
        .missing, Self.dangling(path) ?? "it does not exist; import something first, or pass another --store")
    }
    defer { free(resolved) }
    file = String(cString: resolved)
    var about = stat()
    guard lstat(file, &about) == 0 else { throw StoreError("\(errorText); pass another --store") }
    size = about.st_size
    guard about.st_mode & S_IFMT == S_IFREG else {
      throw StoreError("it is \(Self.kind(of: about)), not a regular file; pass another --store")
    }
    // SQLite derives the log's name from the file's name, so each link would have its own log
    // (https://www.sqlite.org/howtocorrupt.html, "multiple links to the same file").
    guard about.st_nlink == 1 else {
      throw StoreError("it has \(about.st_nlink) hard links; copy it to a new file, and pass that as --store")
    }
    let folder = TrustedFolder.parent(of: file)
    readOnlyReason = faccessat(AT_FDCWD, folder, W_OK, AT_EACCESS) == 0 ? nil : errorText
    try StorePermissions(writes: access != .readOnly).check(file, in: folder, about)
    try SuperJournal.refuse(beside: file)
    if about.st_size == 0 { try Self.refuseLog(beside: file) }
    try Self.refuseNetwork(folder)
  }

  func checkWritable() throws(StoreError) {
    if let reason = readOnlyReason {
      throw StoreError(
        "its folder is not writable (\(reason)); it can still be read with `subtop dashboard "
          + "--readonly`, report, chain and status")
    }
    guard faccessat(AT_FDCWD, file, W_OK, AT_EACCESS) == 0 else {
      throw StoreError("it is not writable (\(errorText)); run `chmod u+w \(file)`")
    }
  }

  static func owner(ofCompanion path: String) -> String? {
    companions.lazy.filter(path.hasSuffix).map { String(path.dropLast($0.count)) }
      .first { access($0, F_OK) == 0 }
  }

  static func kind(of about: stat) -> String {
    switch about.st_mode & S_IFMT {
    case S_IFDIR: "a directory"
    case S_IFIFO: "a FIFO"
    case S_IFSOCK: "a socket"
    default: "a device"
    }
  }

  /// Returns an error text for a dangling symbolic link; `nil` for any other path.
  static func dangling(_ path: String) -> String? {
    var target = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(path, &target, target.count)
    guard count > 0, access(path, F_OK) != 0 else { return nil }
    let name = String(decoding: target[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
    return "it is a symbolic link to \(name), which does not exist; mount or create it, or remove the link"
  }

  private static func refuseNetwork(_ folder: String) throws(StoreError) {
    guard let type = NetworkFileSystem.refused(folder) else { return }
    throw StoreError(
      "it is on a file system shared with other machines (\(type)), where SQLite's locks are not reliable; "
        + "move it to a local disk, or copy it there to read it")
  }

  /// Creates a missing file with mode 0600, because receipts are personal data; SQLite would use the umask.
  private static func make(_ path: String) throws(StoreError) {
    // One thread at a time: a log that SQLite created for another thread would look like a leftover.
    try making.withLock { _ throws(StoreError) in
      guard access(path, F_OK) != 0 else { return }
      try makeRoom(path)
      let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else {
        if errno == EEXIST { return }
        throw StoreError("\(errorText); pass another --store")
      }
      close(descriptor)
      TrustedFolder.sync(TrustedFolder.parent(of: path))
    }
  }

  private static let making = Mutex(())

  /// Creates the folder of a missing file, and checks that a store can be created in it.
  static func makeRoom(_ path: String) throws(StoreError) {
    try SuperJournal.refuse(beside: path)
    try refuseLog(beside: path)
    do {
      try TrustedFolder.make(TrustedFolder.parent(of: path))
    } catch {
      throw StoreError(error)
    }
    try refuseNetwork(TrustedFolder.parent(of: path))
  }

  /// Checks, before copying begins, that the copy could be opened as a store.
  static func checkRoom(forCopy path: String) throws(StoreError) {
    do {
      try TrustedFolder.check(TrustedFolder.parent(of: path))
    } catch {
      throw error.isUnsafe
        ? StoreError(.notPermitted, "\(error), or pass a file in another folder")
        : StoreError("\(error); pass a file in another folder")
    }
    try SuperJournal.refuse(beside: path)
    try refuseNetwork(TrustedFolder.parent(of: path))
  }

  /// Throws if a missing or empty file has a log: SQLite would delete it, and it may be all that is left.
  private static func refuseLog(beside path: String) throws(StoreError) {
    var (about, main) = (stat(), stat())
    guard stat(path + "-wal", &about) == 0, about.st_size > 0 else { return }
    // Another program that created the store in the meantime wrote to the file before it created a log.
    guard stat(path, &main) != 0 || main.st_size == 0 else { return }
    throw StoreError(
      "its log \(path)-wal exists without it; put the file back, or move the log away to start a new store")
  }
}

// Stores on read-only media. SQLite writes files even to read a store in WAL mode.
extension StorePath {
  /// Whether SQLite must read the file without locks: it has no write-ahead log, and its folder is read-only.
  ///
  /// Throws an error if the folder is read-only and the file has a log that cannot be read without its index.
  func mayBeReadUnlocked() throws(StoreError) -> Bool {
    guard let readOnlyReason else { return false }
    guard hasLog else { return true }
    guard access(index, R_OK) == 0 else {
      throw StoreError(
        "its folder is not writable (\(readOnlyReason)), and its log \(log) cannot be read without "
          + "\(index); copy it with its log to a writable folder, and pass that as --store")
    }
    return false
  }

  /// URI that makes SQLite assume an unchanging file (https://www.sqlite.org/uri.html, `immutable`).
  var unlockedURI: String {
    let escaped = ["%": "%25", "?": "%3f", "#": "%23"] as [Unicode.Scalar: String]
    return "file:" + file.unicodeScalars.map { escaped[$0] ?? String($0) }.joined() + "?immutable=1"
  }
}

/// Checks that no other user can change a store, and that a store to be written is not readable by everyone.
struct StorePermissions {
  let writes: Bool

  func check(_ file: String, in folder: String, _ about: stat) throws(StoreError) {
    do throws(FileProblem) {
      try TrustedFolder.check(folder, ownedBy: writes ? nil : about.st_uid)
      guard !about.othersMayWrite else { throw .writable(file) }
      if writes, about.st_mode & S_IROTH != 0 { throw .readable(file) }
      for companion in StorePath.companions.map({ file + $0 }) {
        var beside = stat()
        guard lstat(companion, &beside) == 0 else { continue }
        guard beside.st_mode & S_IFMT == S_IFREG else { throw .notRegular(companion) }
        guard [about.st_uid, geteuid(), 0].contains(beside.st_uid) else {
          throw .foreign(companion, owner: beside.st_uid)
        }
        guard !beside.othersMayWrite else { throw .writable(companion) }
      }
    } catch {
      guard case .notRegular(let path) = error else { throw StoreError(error) }
      throw StoreError(
        .notPermitted,
        "\(path) is not a regular file; if it is a link, replace it with the file that it points to")
    }
    let isAnothers = writes && about.st_uid != geteuid() && geteuid() != 0
    guard !isAnothers, faccessat(AT_FDCWD, file, R_OK, AT_EACCESS) == 0 else {
      throw StoreError(.notPermitted, "it belongs to \(Self.name(of: about.st_uid)); run this as that user")
    }
  }

  static func name(of user: uid_t) -> String {
    guard let entry = getpwuid(user), let name = entry.pointee.pw_name else { return "the user \(user)" }
    return "the user \(String(cString: name))"
  }
}

var errorText: String { String(cString: strerror(errno)) }

/// Check for a forged rollback journal.
///
/// SQLite uses the journal beside a file to undo an interrupted commit. The end of the journal may name a
/// super-journal, which belongs to a commit over several files, and SQLite deletes the named file. So a
/// forged journal could make SQLite delete any file of the user
/// (https://www.sqlite.org/fileformat2.html, "The Rollback Journal").
enum SuperJournal {
  private static let magic: [UInt8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]

  /// Throws if the journal names a super-journal, because this program never writes such a journal.
  ///
  /// Call this before SQLite opens the file.
  static func refuse(beside file: String) throws(StoreError) {
    let journal = file + "-journal"
    let descriptor = open(journal, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    var about = stat()
    var end = [UInt8](repeating: 0, count: magic.count)
    guard fstat(descriptor, &about) == 0, about.st_size > magic.count,
      pread(descriptor, &end, end.count, about.st_size - end.count) == end.count, end == magic
    else { return }
    throw StoreError(
      "its journal \(journal) names another file, which SQLite would delete. subtop never writes such journals: "
        + "move it away, then run `subtop status --check`")
  }
}
