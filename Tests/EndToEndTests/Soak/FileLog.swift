import Glibc
import Testing

/// What a program did to the files of a folder, in order, as Tests/Preloaded/FileLog.c writes it down.
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
  static let library = PreloadedLibrary("FileLog", for: "the tests of power cuts")

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
