import Files
import Glibc

/// Who else may read or change a store. Nothing of what was there is changed: its owner may have reasons, and is told.
struct StorePermissions {
  let writes: Bool

  private static let everybodyReads: mode_t = 0o004

  func check(
    _ file: String, in folder: String, _ about: stat, _ descriptor: Int32
  ) throws(StoreError) {
    do {
      try TrustedFolder.check(folder, ownedBy: writes ? nil : about.st_uid)
    } catch {
      throw StoreError(error)
    }
    try checkOthersWrite(file, about, descriptor)
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
    for suffix in SQLiteCompanions.suffixes { try checkBeside(file + suffix, ownedBy: about.st_uid) }
  }

  /// What SQLite would take for its own.
  private func checkBeside(_ path: String, ownedBy owner: uid_t) throws(StoreError) {
    let descriptor = open(path, lookOnly | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    var about = stat()
    guard fstat(descriptor, &about) == 0 else { return }
    guard about.st_mode & S_IFMT != S_IFLNK else {
      throw StoreError(
        .notPermitted, "\(path) is a symbolic link; put the file that it leads to in its place")
    }
    guard about.st_mode & S_IFMT == S_IFREG, [owner, geteuid(), 0].contains(about.st_uid) else {
      throw StoreError(.notPermitted, "\(path) is not a file of its owner; remove it")
    }
    try checkOthersWrite(path, about, descriptor)
  }

  private func checkOthersWrite(
    _ path: String, _ about: stat, _ descriptor: Int32
  ) throws(StoreError) {
    let mends: String
    switch OtherWriters(of: about, descriptor) {
    case nil: return
    case .byMode?: mends = "run `chmod go-w \(path)`"
    case .byList?: mends = "remove its access control list: run `setfacl -b \(path)` and `chmod go-w \(path)`"
    }
    throw StoreError(.notPermitted, "others may write to \(path), and so change what it says; \(mends)")
  }

  static func name(of user: uid_t) -> String {
    guard let entry = getpwuid(user), let name = entry.pointee.pw_name else { return "the user \(user)" }
    return "the user \(String(cString: name))"
  }
}
