import Glibc

/// Folder of a test, which is removed with its contents when the value is released.
public final class TemporaryFolder: Sendable {
  public let path: String

  public init() {
    var template = Array("/tmp/subtop-test-XXXXXX".utf8CString)
    let made = template.withUnsafeMutableBufferPointer { buffer in
      buffer.baseAddress.flatMap { mkdtemp($0) } != nil
    }
    precondition(made, "cannot make a folder under /tmp")
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  public func file(_ name: String) -> String { "\(path)/\(name)" }

  public func names() -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      names.append(
        withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        })
    }
    return names.filter { $0 != "." && $0 != ".." }.sorted()
  }

  deinit { Self.empty(path) }

  /// Removes a folder's contents depth first, without following symbolic links.
  private static func empty(_ path: String) {
    if let folder = opendir(path) {
      while let entry = readdir(folder) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        guard name != ".", name != ".." else { continue }
        let child = "\(path)/\(name)"
        if entry.pointee.d_type == UInt8(DT_DIR) { empty(child) } else { unlink(child) }
      }
      closedir(folder)
    }
    rmdir(path)
  }
}
