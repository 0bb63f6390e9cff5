import Glibc

/// A path that was walked down from the root by descriptors, name by name, so that what was checked is what is opened.
///
/// Every folder and every symbolic link on the way has to be this user's or root's, and nobody else may change the names in
/// a folder: else another user decides what lies at the end of the path. OpenSSH's StrictModes asks the same of keys. What root
/// lets a group do further up, as Debian does in /var/local, is not ours to judge.
struct TrustedPath {
  /// Whether the path ends with a folder, and whether the folders that are not there are made, for this user alone.
  enum End { case file, folder(made: Bool) }

  /// The last folder.
  private(set) var folder: Descriptor
  private(set) var folderPath = "/"
  /// The name in the folder that the path ends with, which is no link; nil where it ends with the folder.
  private(set) var name: String?

  /// A user who is trusted besides this one and root.
  private let owner: UInt32?

  /// As many as the kernel follows.
  private static let mostLinks = 40

  init(_ given: String, to end: End, ownedBy owner: UInt32? = nil) throws(FileProblem) {
    self.owner = owner
    folder = try Self.root()
    var pending = try Self.names(in: Self.absolute(given))
    var links = 0
    while let next = pending.popLast() {
      let path = self.path(of: next)
      if case .file = end, pending.isEmpty, next != "..", try !isLink(next) {
        name = next
        try checkLast()
        return
      }
      switch try look(at: next, makes: end) {
      case .folder(let opened): (folder, folderPath) = (opened, path)
      case .link(let target):
        guard !leadsToUnnamed(next, target) else { throw .unnamed(given) }
        links += 1
        guard links <= Self.mostLinks else { throw .system(given, ELOOP) }
        if target.hasPrefix("/") { (folder, folderPath) = (try Self.root(), "/") }
        pending += Self.names(in: target)
      }
    }
    if case .file = end { throw .notRegular(given) }
    try checkLast()
  }

  private func checkLast() throws(FileProblem) {
    let status = try folder.status(of: folderPath)
    if !status.isSticky { try folder.checkNobodyElseWrites(status, folderPath) }
  }

  func path(of name: String) -> String {
    if name == ".." { return folderPath.lastIndex(of: "/").map { String(folderPath[..<$0]) } ?? "/" }
    return folderPath.hasSuffix("/") ? folderPath + name : "\(folderPath)/\(name)"
  }

  // MARK: One name

  private enum Found { case folder(Descriptor), link(String) }

  private func look(at name: String, makes end: End) throws(FileProblem) -> Found {
    let path = path(of: name)
    var number = openat(folder.number, name, lookOnly | O_NOFOLLOW | O_CLOEXEC)
    if number < 0, errno == ENOENT, case .folder(made: true) = end {
      guard mkdirat(folder.number, name, 0o700) == 0 || errno == EEXIST else { throw .system(path, errno) }
      number = openat(folder.number, name, lookOnly | O_NOFOLLOW | O_CLOEXEC)
    }
    let found = try Descriptor(number, of: path)
    let status = try found.status(of: path)
    let isNobodys = status.type == S_IFDIR && UserMap.isForNobody(status.st_uid)
    guard status.isOwn || status.st_uid == owner || isNobodys else {
      throw .foreign(path, owner: status.st_uid)
    }
    switch status.type {
    case S_IFLNK: return .link(try Self.target(of: found, path))
    case S_IFDIR:
      if status.isSticky { return .folder(found) }
      if status.st_uid != 0 {
        try found.checkNobodyElseWrites(status, path)
      } else if status.st_mode & S_IWOTH != 0 {
        throw .writable(path)
      }
      return .folder(found)
    default: throw .notFolder(path)
    }
  }

  private func isLink(_ name: String) throws(FileProblem) -> Bool {
    var status = stat()
    guard fstatat(folder.number, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
      if errno == ENOENT { return false }
      throw .system(path(of: name), errno)
    }
    return status.type == S_IFLNK
  }

  /// Whether a link is one of proc(5) to what has no path: a pipe, a socket, a file that was removed. Its text is none then.
  private func leadsToUnnamed(_ link: String, _ text: String) -> Bool {
    var (led, named) = (stat(), stat())
    guard fstatat(folder.number, link, &led, 0) == 0, led.type != S_IFDIR else { return false }
    return fstatat(folder.number, text, &named, 0) != 0 && errno == ENOENT
  }

  private static func target(of link: Descriptor, _ path: String) throws(FileProblem) -> String {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlinkat(link.number, "", &bytes, bytes.count)
    guard count > 0 else { throw .system(path, count < 0 ? errno : ENOENT) }
    return String(decoding: bytes[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  // MARK: Paths

  private static func root() throws(FileProblem) -> Descriptor {
    try Descriptor(open("/", lookOnly | O_DIRECTORY | O_CLOEXEC), of: "/")
  }

  private static func absolute(_ path: String) throws(FileProblem) -> String {
    guard !path.isEmpty else { throw .system(path, ENOENT) }
    guard !path.hasPrefix("/") else { return path }
    guard let here = getcwd(nil, 0) else { throw .system(".", errno) }
    defer { free(here) }
    return "\(String(cString: here))/\(path)"
  }

  /// The last one first.
  private static func names(in path: String) -> [String] {
    path.split(separator: "/").filter { $0 != "." }.reversed().map(String.init)
  }
}
