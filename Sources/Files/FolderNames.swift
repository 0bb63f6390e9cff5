import Glibc

/// What lies in a folder, by its names.
package enum FolderNames {
  /// In no order, `.` and `..` among them; nil where the folder cannot be read.
  package static func of(_ path: String) -> [String]? {
    guard let listing = opendir(path) else { return nil }
    defer { closedir(listing) }
    var names: [String] = []
    while let entry = readdir(listing) {
      names.append(
        withUnsafeBytes(of: entry.pointee.d_name) { name in
          String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
        })
    }
    return names
  }
}
