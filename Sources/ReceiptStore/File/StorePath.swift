import Files
import Glibc
import Synchronization

/// What a store is opened for.
public enum StoreAccess: Sendable {
  /// Makes the file where there is none; one that is empty becomes a store.
  case readWrite
  /// Only of a store that is there.
  case existing
  case readOnly
}

/// Which file it is, whatever it is called: names can be given to other files.
struct FileIdentity: Hashable, Sendable {
  private let device: UInt64
  private let inode: UInt64

  init(_ about: stat) {
    device = UInt64(about.st_dev)
    inode = UInt64(about.st_ino)
  }

  /// Nil if there is no file at the path.
  init?(at path: String) {
    var about = stat()
    guard stat(path, &about) == 0 else { return nil }
    self.init(about)
  }
}

/// Where a store lies: looked at before SQLite opens it, which would open, change and leave files beside anything.
///
/// Nothing is opened: that would block on a FIFO or wake a device up, and closing a descriptor of the file lets go of the locks that
/// SQLite has on it (fcntl(2)).
package struct StorePath: Sendable {
  /// Without symbolic links, which are followed: SQLite does so too and puts its log beside the file that they lead to.
  package let file: String
  let identity: FileIdentity
  let size: off_t
  /// Why nothing can be written into the folder; nil where something can.
  let readOnlyReason: String?

  /// SQLite's write-ahead log, which holds commits that are not in the file yet.
  var log: String { file + "-wal" }
  /// SQLite's index of the log, memory that all who have the file open share.
  var index: String { file + "-shm" }
  /// What SQLite puts beside a file: its log, the log's index, and the journal of a file that is not in WAL mode.
  static let companions = ["-wal", "-shm", "-journal"]

  /// Whether commits are in the log.
  var hasLog: Bool {
    var about = stat()
    return stat(log, &about) == 0 && about.st_size > 0
  }

  /// - Parameter access: a file that may be made is, and its folder.
  package init(_ path: String, _ access: StoreAccess) throws(StoreError) {
    guard path != ":memory:", !path.isEmpty else { throw StoreError("the store is a file; pass a path") }
    if access == .readWrite { try Self.make(path) }
    guard let resolved = realpath(path, nil) else {
      guard errno == ENOENT || errno == ENOTDIR else {
        throw StoreError("\(errorText); pass another --store")
      }
      throw StoreError(
        .missing, Self.dangling(path) ?? "there is no file; import something first, or pass another --store")
    }
    defer { free(resolved) }
    file = String(cString: resolved)
    var about = stat()
    guard lstat(file, &about) == 0 else { throw StoreError("\(errorText); pass another --store") }
    identity = FileIdentity(about)
    size = about.st_size
    guard about.st_mode & S_IFMT == S_IFREG else {
      throw StoreError("it is \(Self.kind(of: about)), and the store is a regular file; pass another --store")
    }
    // SQLite finds the log by the file's name, so that each name would have one of its own
    // (https://www.sqlite.org/howtocorrupt.html, "multiple links to the same file").
    guard about.st_nlink == 1 else {
      throw StoreError(
        "it has \(about.st_nlink) names (hard links); copy it to a file of its own, and pass that --store")
    }
    let folder = Self.folder(of: file)
    readOnlyReason = faccessat(AT_FDCWD, folder, W_OK, AT_EACCESS) == 0 ? nil : errorText
    try StorePermissions(writes: access != .readOnly).check(file, in: folder, about)
    try SuperJournal.refuse(beside: file)
    if size == 0 { try Self.refuseLog(beside: file) }
    try Self.refuseNetwork(folder)
  }

  /// Whether SQLite may write to the file, and keep a log beside it.
  func checkWritable() throws(StoreError) {
    if let reason = readOnlyReason {
      throw StoreError(
        "nothing can be written to its folder (\(reason)); it can be read, by `subtop dashboard --readonly`, "
          + "report, chain and status")
    }
    guard faccessat(AT_FDCWD, file, W_OK, AT_EACCESS) == 0 else {
      throw StoreError("nothing can be written to it (\(errorText)); run `chmod u+w \(file)`")
    }
  }

  static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// The file that SQLite would keep a file of such a name beside; nil where there is none.
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

  /// What is wrong with a symbolic link that leads to nothing; nil of anything else.
  static func dangling(_ path: String) -> String? {
    var target = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(path, &target, target.count)
    guard count > 0, access(path, F_OK) != 0 else { return nil }
    let name = String(decoding: target[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
    return
      "it is a symbolic link to \(name), and there is no file; mount or make what is missing there, or remove the link"
  }

  private static func refuseNetwork(_ folder: String) throws(StoreError) {
    guard let type = NetworkFileSystem.refused(folder) else { return }
    throw StoreError(
      "it lies on a file system that other machines share (\(type)), where SQLite cannot keep two of them apart; "
        + "move it to a disk of this machine, or copy it there to read it")
  }
}

// Stores where nothing can be written: SQLite needs to, even to read one in WAL mode.
extension StorePath {
  /// Whether the file is to be read without locks and without a log, since there is none and none can be made here.
  func mayBeReadUnlocked() throws(StoreError) -> Bool {
    guard let readOnlyReason else { return false }
    guard hasLog else { return true }
    guard access(index, R_OK) == 0 else {
      throw StoreError(
        "nothing can be written to its folder (\(readOnlyReason)), and its log \(log) cannot be read without "
          + "\(index); copy it with its log to a folder that can be written to, and pass that --store")
    }
    return false
  }

  /// Tells SQLite that nobody writes to the file (https://www.sqlite.org/uri.html, `immutable`), which `OpenFile` watches.
  var unlockedURI: String {
    let plain = file.utf8.map { byte in
      switch byte {
      case UInt8(ascii: "%"), UInt8(ascii: "?"), UInt8(ascii: "#"): "%" + String(byte, radix: 16)
      default: nil as String?
      }
    }
    var uri: [UInt8] = []
    for (byte, escaped) in zip(file.utf8, plain) { uri += escaped.map { Array($0.utf8) } ?? [byte] }
    return "file:" + String(decoding: uri, as: UTF8.self) + "?immutable=1"
  }
}

extension StorePath {
  /// Makes an empty file where there is none. SQLite would make it as the umask says, and receipts are personal data.
  private static func make(_ path: String) throws(StoreError) {
    // One thread at a time: what lies beside a file that another has made meanwhile is SQLite's, and in use.
    try making.withLock { _ throws(StoreError) in
      guard access(path, F_OK) != 0 else { return }
      try makeRoom(path)
      let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else {
        if errno == EEXIST { return }
        throw StoreError("\(errorText); pass another --store")
      }
      close(descriptor)
      syncFolder(folder(of: path))
    }
  }

  private static let making = Mutex(())

  /// The folder of a file that is not there yet.
  static func makeRoom(_ path: String) throws(StoreError) {
    try SuperJournal.refuse(beside: path)
    try refuseLog(beside: path)
    try makeFolder(folder(of: path))
    try refuseNetwork(folder(of: path))
  }

  /// A store in another folder would be refused there, and a copy is one: said before anything is copied.
  static func checkRoom(forCopy path: String) throws(StoreError) {
    do {
      try TrustedFolder.check(folder(of: path))
    } catch {
      throw error.isUnsafe
        ? StoreError(.notPermitted, "\(error), or pass a file in another folder")
        : StoreError("\(error); pass a file in another folder")
    }
    try SuperJournal.refuse(beside: path)
    guard let type = NetworkFileSystem.refused(folder(of: path)) else { return }
    throw StoreError(
      "it lies on a file system that other machines share (\(type)), where no store can be opened; copy to a disk of this "
        + "machine, and take that file there")
  }

  /// SQLite throws the log of an empty file away, which may hold all that is left of another.
  private static func refuseLog(beside path: String) throws(StoreError) {
    var (about, main) = (stat(), stat())
    guard stat(path + "-wal", &about) == 0, about.st_size > 0 else { return }
    // Another program may have made the store since it was looked at: it writes to the file before it begins a log.
    guard stat(path, &main) != 0 || main.st_size == 0 else { return }
    throw StoreError(
      "its log \(path)-wal is there without it; put the file back, or move the log away to begin a new store")
  }

  private static func makeFolder(_ path: String) throws(StoreError) {
    var missing: [String] = []
    while access(missing.last.map(folder(of:)) ?? path, F_OK) != 0, missing.last != "/", missing.last != "." {
      missing.append(missing.last.map(folder(of:)) ?? path)
    }
    do {
      try TrustedFolder.make(path)
    } catch {
      throw StoreError(error)
    }
    for made in missing { syncFolder(folder(of: made)) }
  }

  /// Has what a folder lists outlast a power cut. Not every file system can, which is no reason to stop.
  static func syncFolder(_ path: String) {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }
}

/// Who else may read or change a store. Nothing of what was there is changed: its owner may have reasons, and is told.
struct StorePermissions {
  let writes: Bool

  private static let everybodyReads: mode_t = 0o004

  func check(_ file: String, in folder: String, _ about: stat) throws(StoreError) {
    do {
      try TrustedFolder.check(folder, ownedBy: writes ? nil : about.st_uid)
    } catch {
      throw StoreError(error)
    }
    try checkOthersWrite(file, about)
    if writes, about.st_uid != geteuid(), geteuid() != 0 {
      throw StoreError(.notPermitted, "it belongs to \(Self.name(of: about.st_uid)); run this as that user")
    }
    guard faccessat(AT_FDCWD, file, R_OK, AT_EACCESS) == 0 else {
      throw StoreError(
        .notPermitted, "\(errorText): it belongs to \(Self.name(of: about.st_uid)); run this as that user")
    }
    if writes, about.st_mode & Self.everybodyReads != 0 {
      throw StoreError(
        .notPermitted, "everybody may read it, and receipts are personal data; run `chmod 600 \(file)`")
    }
    for suffix in StorePath.companions { try checkBeside(file + suffix, ownedBy: about.st_uid) }
  }

  /// What SQLite would take for its own.
  private func checkBeside(_ path: String, ownedBy owner: uid_t) throws(StoreError) {
    var about = stat()
    guard lstat(path, &about) == 0 else { return }
    guard about.st_mode & S_IFMT != S_IFLNK else {
      throw StoreError(
        .notPermitted, "\(path) is a symbolic link; put the file that it leads to in its place")
    }
    guard about.st_mode & S_IFMT == S_IFREG, [owner, geteuid(), 0].contains(about.st_uid) else {
      throw StoreError(.notPermitted, "\(path) is not a file of its owner; remove it")
    }
    try checkOthersWrite(path, about)
  }

  private func checkOthersWrite(_ path: String, _ about: stat) throws(StoreError) {
    guard about.othersMayWrite else { return }
    throw StoreError(
      .notPermitted, "others may write to \(path), and so change what it says; run `chmod go-w \(path)`")
  }

  static func name(of user: uid_t) -> String {
    guard let entry = getpwuid(user), let name = entry.pointee.pw_name else { return "the user \(user)" }
    return "the user \(String(cString: name))"
  }
}

/// What the last system call that failed says.
var errorText: String { String(cString: strerror(errno)) }
