import Glibc

/// Where something as large as the store, and as personal, may lie for a while.
enum InputFolder {
  /// The folder of a file, or the nearest above it that is there: an import that is refused makes none.
  static func beside(_ path: String) -> String {
    var folder = path[...]
    while let slash = folder.lastIndex(of: "/") {
      folder = folder[..<slash]
      let name = folder.isEmpty ? "/" : String(folder)
      var status = stat()
      if stat(name, &status) == 0, status.st_mode & S_IFMT == S_IFDIR { return name }
    }
    return "."
  }
}
