import FoundationEssentials
import Glibc

/// Temporary folder of the demo's store, locked while the process lives; the next demo removes unlocked stores.
struct DemoFolder: Sendable {
  private let path: String
  private static let prefix = "subtop-demo."

  var store: String { path + "/demo.sqlite" }

  static func make() throws(Failure) -> DemoFolder {
    let base = Environment.filled("TMPDIR") ?? "/tmp"
    for name in (try? FileManager.default.contentsOfDirectory(atPath: base)) ?? []
    where name.hasPrefix(prefix) {
      let folder = DemoFolder(path: "\(base)/\(name)")
      // A folder without a store belongs to a demo that is about to lock it.
      if access(folder.store, F_OK) == 0, folder.lock() { folder.remove() }
    }
    var template = Array("\(base)/\(prefix)XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw Failure(
        .store, "cannot create a temporary folder in \(base): \(errorText()); set TMPDIR to another folder")
    }
    let folder = DemoFolder(
      path: String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self))
    _ = folder.lock()
    return folder
  }

  /// Locks the folder until the process ends; returns `false` if it is locked, or another user's.
  private func lock() -> Bool {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    var status = stat()
    let isOwn = fstat(descriptor, &status) == 0 && status.st_uid == geteuid()
    if isOwn, flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
    if descriptor >= 0 { close(descriptor) }
    return false
  }

  func remove() {
    for suffix in ["", "-wal", "-shm"] { unlink(store + suffix) }
    rmdir(path)
  }
}
