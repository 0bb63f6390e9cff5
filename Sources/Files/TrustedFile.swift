import Glibc

/// Owner and mode checks for trusted files, which only this user and root can change (OpenSSH's StrictModes).
extension stat {
  var type: mode_t { st_mode & S_IFMT }
  /// Whether this user or root, who can change every file anyway, owns the file.
  var isOwn: Bool { st_uid == geteuid() || st_uid == 0 }

  func checkOwnFile(_ path: String) throws(FileProblem) {
    guard type == S_IFREG else { throw .notRegular(path) }
    guard isOwn else { throw .foreign(path, owner: st_uid) }
    guard !othersMayWrite else { throw .writable(path) }
  }

  /// Whether other users can write the file, according to its mode.
  ///
  /// The mode also shows access control lists, as group permissions. A group with the owner's number counts
  /// as the owner, because most systems create such a group for every user.
  package var othersMayWrite: Bool {
    st_mode & S_IWOTH != 0 || (st_mode & S_IWGRP != 0 && st_gid != st_uid)
  }

  /// Whether other users have any permission on the file, according to its mode.
  ///
  /// Unless this process runs as root, the group may read a file of root, because systemd and Kubernetes pass
  /// secrets in such files.
  var othersMayRead: Bool {
    st_mode & S_IRWXO != 0 || (st_mode & S_IRWXG != 0 && (st_uid != 0 || geteuid() == 0))
  }
}

/// Folder in which no other user can replace a file.
public enum TrustedFolder {
  /// Owner of the root folder: root, or the overflow user in a user namespace (user_namespaces(7)).
  private static let root: uid_t = {
    var status = stat()
    return stat("/", &status) == 0 ? status.st_uid : 0
  }()

  /// - Parameter owner: User who is trusted in addition to this user and root, such as a file's owner.
  public static func check(_ path: String, ownedBy owner: UInt32? = nil) throws(FileProblem) {
    let resolved = try resolve(path)
    var folder = ""
    for name in [Substring()] + resolved.split(separator: "/") {
      folder = name.isEmpty ? "/" : folder == "/" ? "/\(name)" : "\(folder)/\(name)"
      var status = stat()
      guard lstat(folder, &status) == 0 else { throw .system(folder, errno) }
      guard status.type == S_IFDIR else { throw .notFolder(folder) }
      guard status.isOwn || [owner, root].contains(status.st_uid) else {
        throw .foreign(folder, owner: status.st_uid)
      }
      // In a sticky folder such as /tmp, only the owner of an entry can change it. Parent folders that root
      // owns and a group can write, such as Debian's /var/local, are accepted.
      let isRoots = [0, root].contains(status.st_uid) && folder != resolved
      let isShared = isRoots ? status.st_mode & S_IWOTH != 0 : status.othersMayWrite
      if isShared, status.st_mode & S_ISVTX == 0 { throw .writable(folder) }
    }
  }

  /// Creates missing folders of a path, accessible only to this user, and checks the path.
  public static func make(_ path: String) throws(FileProblem) {
    if access(path, F_OK) != 0, errno == ENOENT {
      try make(parent(of: path))
      guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .system(path, errno) }
      sync(parent(of: path))
    }
    try check(path)
  }

  /// Makes a folder's entries survive a power cut; ignores errors, because some file systems cannot do it.
  public static func sync(_ path: String) {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }

  public static func parent(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  static func resolve(_ path: String) throws(FileProblem) -> String {
    guard let resolved = realpath(path, nil) else {
      var status = stat()
      // proc(5) contains links to objects without a path: a pipe, a socket, a removed file.
      let code = errno
      throw code == ENOENT && stat(path, &status) == 0 ? .unnamed(path) : .system(path, code)
    }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}

/// Regular file of this user or root that no other user can write, because the program trusts its content.
public enum TrustedFile: Sendable {
  case configuration, certificates
  /// File that other users must not be able to read either.
  case secret
  case state

  public var limit: Int {
    switch self {
    case .configuration, .state: 1 << 20
    case .certificates: 4 << 20
    case .secret: 64 << 10
    }
  }

  /// Returns the content, read from the descriptor that was checked.
  public func bytes(at path: String) throws(FileProblem) -> [UInt8] {
    let resolved = try TrustedFolder.resolve(path)
    var status = stat()
    // Checked before opening, because opening a device may have side effects.
    guard lstat(resolved, &status) == 0 else { throw .system(path, errno) }
    guard status.type == S_IFREG else { throw .notRegular(path) }
    let descriptor = open(resolved, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .system(path, errno) }
    defer { close(descriptor) }
    guard fstat(descriptor, &status) == 0 else { throw .system(path, errno) }
    try status.checkOwnFile(path)
    guard self != .secret || !status.othersMayRead else { throw .readable(path) }
    try TrustedFolder.check(TrustedFolder.parent(of: resolved))
    guard status.st_size <= limit else { throw .tooLarge(path, limit: limit) }
    return try Self.read(descriptor, Int(status.st_size), path)
  }

  private static func read(_ descriptor: Int32, _ size: Int, _ path: String) throws(FileProblem) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: size)
    var count = 0
    while count < size {
      let read = bytes.withUnsafeMutableBytes {
        pread(descriptor, $0.baseAddress?.advanced(by: count), size - count, off_t(count))
      }
      if read < 0, errno == EINTR { continue }
      guard read >= 0 else { throw .system(path, errno) }
      if read == 0 { break }
      count += read
    }
    return Array(bytes[..<count])
  }
}

/// Folder for the program's files, which belongs to this user or root and cannot be written by others.
public struct OwnFolder: Sendable {
  public let path: String

  public init(making path: String) throws(FileProblem) {
    try TrustedFolder.make(path)
    var status = stat()
    guard stat(path, &status) == 0 else { throw .system(path, errno) }
    guard !status.othersMayWrite else { throw .writable(path) }
    self.path = path
  }

  /// Writes a file under a temporary name and renames it, so that readers never see a partial file.
  public func replace(_ name: String, with bytes: [UInt8]) throws(FileProblem) {
    let (path, draft) = ("\(path)/\(name)", "\(path)/\(name).\(getpid())")
    // An earlier process with the same id may have left this file.
    unlink(draft)
    try NewFile.write(bytes, to: draft)
    guard rename(draft, path) == 0 else {
      let code = errno
      unlink(draft)
      throw .system(path, code)
    }
  }
}

/// Writer of new files, which fails if a file already exists at the path.
public enum NewFile {
  /// Writes a file that only its owner may read, and removes it if it cannot be written completely.
  public static func write(_ bytes: [UInt8], to path: String) throws(FileProblem) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .system(path, errno) }
    defer { close(descriptor) }
    do throws(FileProblem) {
      try append(bytes, to: descriptor, path)
    } catch {
      unlink(path)
      throw error
    }
  }

  static func append(_ bytes: [UInt8], to descriptor: Int32, _ path: String) throws(FileProblem) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw .system(path, errno) }
      rest = rest.dropFirst(count)
    }
  }
}
