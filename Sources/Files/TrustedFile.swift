import Glibc

/// What the program reads and writes is this user's or root's, and nobody else may change it: OpenSSH's StrictModes asks the same of keys.
extension stat {
  var type: mode_t { st_mode & S_IFMT }
  /// Root may change everything anyway.
  var isOwn: Bool { st_uid == geteuid() || st_uid == 0 }

  /// Whether its mode lets others write. A group with its owner's number, as most systems give every user, is the owner; access control
  /// lists show in the mode as the group.
  package var othersMayWrite: Bool {
    st_mode & S_IWOTH != 0 || (st_mode & S_IWGRP != 0 && st_gid != st_uid)
  }

  /// Whether its mode lets others read. Root may have given it to a group that this user is to read it by, as systemd and Kubernetes
  /// hand over credentials.
  var othersMayRead: Bool {
    st_mode & S_IRWXO != 0 || (st_mode & S_IRWXG != 0 && (st_uid != 0 || geteuid() == 0))
  }
}

/// A folder in which nobody else can put another file in the place of one.
public enum TrustedFolder {
  /// Who owns the root folder: root or, in a user namespace that leaves him out, the user that all stand for who are not in it
  /// (user_namespaces(7)).
  private static let root: uid_t = {
    var status = stat()
    return stat("/", &status) == 0 ? status.st_uid : 0
  }()

  /// Checks it and all above it.
  ///
  /// - Parameter owner: a user who is trusted besides this one and root, as whose file is read.
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
      // In a sticky folder, as /tmp, names are their owners' alone to change. What root lets a group do further up, as Debian does in
      // /var/local, is not ours to judge.
      let isRoots = [0, root].contains(status.st_uid) && folder != resolved
      let isShared = isRoots ? status.st_mode & S_IWOTH != 0 : status.othersMayWrite
      if isShared, status.st_mode & S_ISVTX == 0 { throw .writable(folder) }
    }
  }

  /// Makes it and the folders above it if they are not there yet, for this user alone.
  public static func make(_ path: String) throws(FileProblem) {
    if access(path, F_OK) != 0, errno == ENOENT {
      try make(parent(of: path))
      guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .system(path, errno) }
    }
    try check(path)
  }

  static func parent(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// The path without symbolic links.
  static func resolve(_ path: String) throws(FileProblem) -> String {
    guard let resolved = realpath(path, nil) else {
      var status = stat()
      // proc(5) leads to what has no path: a pipe, a socket, a file that was removed.
      let code = errno
      throw code == ENOENT && stat(path, &status) == 0 ? .unnamed(path) : .system(path, code)
    }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}

/// A file that decides what this program does, or whom it tells what: a regular one of this user or root that nobody else
/// may write.
public enum TrustedFile: Sendable {
  case configuration, certificates
  /// Nobody else may read it either.
  case secret
  /// What the program itself keeps between its runs.
  case state

  /// Bytes that it has at the most.
  public var limit: Int {
    switch self {
    case .configuration, .state: 1 << 20
    case .certificates: 4 << 20
    case .secret: 64 << 10
    }
  }

  /// What it holds, read from the descriptor that was checked.
  public func bytes(at path: String) throws(FileProblem) -> [UInt8] {
    let resolved = try TrustedFolder.resolve(path)
    var status = stat()
    // Looked at before it is opened, since opening a device may do something already.
    guard lstat(resolved, &status) == 0 else { throw .system(path, errno) }
    guard status.type == S_IFREG else { throw .notRegular(path) }
    let descriptor = open(resolved, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .system(path, errno) }
    defer { close(descriptor) }
    guard fstat(descriptor, &status) == 0 else { throw .system(path, errno) }
    guard status.type == S_IFREG else { throw .notRegular(path) }
    guard status.isOwn else { throw .foreign(path, owner: status.st_uid) }
    guard !status.othersMayWrite else { throw .writable(path) }
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

/// A folder that this program writes into: this user's or root's, and nobody else may write there.
public struct OwnFolder: Sendable {
  public let path: String

  /// Makes it, and the folders above it, if they are not there yet.
  public init(making path: String) throws(FileProblem) {
    try TrustedFolder.make(path)
    var status = stat()
    guard stat(path, &status) == 0 else { throw .system(path, errno) }
    guard !status.othersMayWrite else { throw .writable(path) }
    self.path = path
  }

  /// Writes a file beside its name and renames it, so that nobody ever reads half of one.
  public func replace(_ name: String, with bytes: [UInt8]) throws(FileProblem) {
    let (path, draft) = ("\(path)/\(name)", "\(path)/\(name).\(getpid())")
    // What a process of the same number left.
    unlink(draft)
    try NewFile.write(bytes, to: draft)
    guard rename(draft, path) == 0 else {
      let code = errno
      unlink(draft)
      throw .system(path, code)
    }
  }
}

/// A file of somebody's choosing, where nothing is yet.
public enum NewFile {
  /// Readable by its owner alone; nothing is left behind if not all of it could be written.
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
