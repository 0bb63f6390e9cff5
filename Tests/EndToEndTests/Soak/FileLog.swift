import Glibc
import Testing

/// What a program did to the files of a folder, in order, as Tests/PowerLoss/FileLog.c writes it down.
struct FileLog {
  enum Deed {
    case created
    case written(at: Int, [UInt8])
    case truncated(to: Int)
    case synced
    case removed
    case renamed(to: String)
    /// On standard output or error.
    case said(String)
  }

  var records: [(path: String, deed: Deed)] = []

  /// The library that writes the log, compiled now; nil where there is no compiler.
  static let library: (folder: Folder, path: String)? = {
    guard let compiler = Program.installed("cc") ?? Program.installed("clang"), let folder = try? Folder()
    else {
      print("SKIPPED: the tests of power cuts, since there is no C compiler")
      return nil
    }
    let source =
      #filePath.split(separator: "/").dropLast(3).reduce(into: "") { $0 += "/" + $1 } + "/PowerLoss/FileLog.c"
    let library = folder / "filelog.so"
    let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
    let child = try? Child(
      compiler, ["-O1", "-shared", "-fPIC", "-o", library, source, "-ldl"], environment: ["PATH": path])
    guard let child else { return nil }
    var status: Int32 = 0
    guard waitpid(child.pid, &status, 0) == child.pid, status == 0 else {
      print("SKIPPED: the tests of power cuts, since \(source) does not compile: \(child.errors)")
      return nil
    }
    return (folder, library)
  }()

  init(_ path: String) throws {
    let bytes = try File.bytes(path)
    var place = 0
    func number(_ count: Int) throws -> Int {
      try #require(place + count <= bytes.count)
      defer { place += count }
      return bytes[place..<place + count].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
    func part(_ count: Int) throws -> [UInt8] {
      try #require(place + count <= bytes.count)
      defer { place += count }
      return Array(bytes[place..<place + count])
    }
    while place < bytes.count {
      let kind = try part(1)[0]
      let (pathLength, offset, length) = try (number(4), number(8), number(8))
      let path = String(decoding: try part(pathLength), as: UTF8.self)
      let deed: Deed
      switch kind {
      case UInt8(ascii: "c"): deed = .created
      case UInt8(ascii: "w"): deed = .written(at: offset, try part(length))
      case UInt8(ascii: "t"): deed = .truncated(to: offset)
      case UInt8(ascii: "f"): deed = .synced
      case UInt8(ascii: "u"): deed = .removed
      case UInt8(ascii: "r"): deed = .renamed(to: String(decoding: try part(length), as: UTF8.self))
      default: deed = .said(String(decoding: try part(length), as: UTF8.self))
      }
      records.append((path, deed))
    }
  }
}
