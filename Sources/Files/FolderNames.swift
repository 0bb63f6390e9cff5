import Glibc

/// Listing of a folder with readdir(3).
package enum FolderNames {
  /// Returns the names in a folder, with `.` and `..`, in no order; `nil` if it cannot be read.
  package static func of(_ path: String) -> [String]? {
    guard let listing = opendir(path) else { return nil }
    defer { closedir(listing) }
    var names: [String] = []
    while let entry = readdir(listing) {
      names.append(
        // The array is declared longer than a record may be.
        withUnsafePointer(to: &entry.pointee.d_name) { name in
          name.withMemoryRebound(to: CChar.self, capacity: 1) { String(cString: $0) }
        })
    }
    return names
  }
}
