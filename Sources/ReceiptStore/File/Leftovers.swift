import Files
import Glibc

/// Unfinished copies that killed programs left. Nothing else bears such a name, and one in the making is locked.
enum Leftovers {
  private static let (mark, letters) = (".subtop-", 6)

  /// As mkstemp(3) wants it, which puts its own letters for the last six.
  static func template(for path: String) -> String {
    "\(StorePath.folder(of: path))/\(prefix(of: path))" + String(repeating: "X", count: letters)
  }

  private static func prefix(of path: String) -> String {
    let name = path.lastIndex(of: "/").map { path[path.index(after: $0)...] } ?? path[...]
    return ".\(name)\(mark)"
  }

  /// Those of a file that nobody works on.
  static func beside(_ path: String) -> [String] {
    copies(beside: path).filter { StoreLock(.exclusive, of: $0) != nil }.sorted()
  }

  static func remove(beside path: String) {
    for copy in copies(beside: path) {
      // Held until it is gone: whoever has just made it is refused the lock, or finds that it went, and makes another.
      guard let lock = StoreLock(.exclusive, of: copy) else { continue }
      withExtendedLifetime(lock) { remove(copy) }
    }
  }

  /// In the making, or left.
  private static func copies(beside path: String) -> [String] {
    let (folder, prefix) = (StorePath.folder(of: path), prefix(of: path))
    return (FolderNames.of(folder) ?? []).filter { name in
      let rest = name.utf8.dropFirst(prefix.utf8.count)
      return name.hasPrefix(prefix) && rest.count == letters && rest.allSatisfy(isLetter)
    }.map { "\(folder)/\($0)" }.filter(isOurs)
  }

  static func remove(_ copy: String) {
    for suffix in SQLiteCompanions.suffixes { unlink(copy + suffix) }
    unlink(copy)
  }

  private static func isOurs(_ path: String) -> Bool {
    var about = stat()
    return lstat(path, &about) == 0 && about.st_mode & S_IFMT == S_IFREG && about.st_uid == geteuid()
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"):
      true
    default: false
    }
  }
}
