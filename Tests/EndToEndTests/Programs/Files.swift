import FoundationEssentials
import Glibc

final class Folder: Sendable {
  let path: String

  init() throws(ProgramError) {
    let base = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(base)/subtop-e2e.XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw .file(base, errno) }
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  deinit { File.remove(path) }

  static func / (folder: Folder, name: String) -> String { "\(folder.path)/\(name)" }
}

enum File {
  static func bytes(_ path: String) throws(ProgramError) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .file(path, errno) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(descriptor, &chunk, chunk.count)
      guard count >= 0 else { throw .file(path, errno) }
      guard count > 0 else { return bytes }
      bytes += chunk[..<count]
    }
  }

  static func contains(_ text: String, in path: String) throws(ProgramError) -> Bool {
    try self.text(path).contains(text)
  }

  static func text(_ path: String) throws(ProgramError) -> String {
    String(decoding: try bytes(path), as: UTF8.self)
  }

  static func write(_ bytes: [UInt8], to path: String, mode: mode_t = 0o600) throws(ProgramError) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
    guard descriptor >= 0 else { throw .file(path, errno) }
    defer { close(descriptor) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else { throw .file(path, errno) }
      rest = rest.dropFirst(count)
    }
  }

  static func write(_ text: String, to path: String, mode: mode_t = 0o600) throws(ProgramError) {
    try write(Array(text.utf8), to: path, mode: mode)
  }

  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  static func mode(_ path: String) -> mode_t? {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & 0o777 : nil
  }

  static func names(in path: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }

  static func remove(_ path: String) { try? FileManager.default.removeItem(atPath: path) }
}
