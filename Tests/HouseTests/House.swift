import FoundationEssentials
import Glibc
import Testing

enum House {
  static let root = {
    var real = [CChar](repeating: 0, count: Int(PATH_MAX))
    let path = realpath(#filePath, &real).map { String(cString: $0) } ?? #filePath
    return path.split(separator: "/").dropLast(3).reduce(into: "") { $0 += "/" + $1 }
  }()

  struct File: CustomTestStringConvertible, Sendable {
    /// Path below `Sources`, such as `Sweep/Curl/TransferLane.swift`.
    let path: String
    let text: String

    var room: String { String(path.prefix { $0 != "/" }) }
    var name: String { path.split(separator: "/").last.map(String.init) ?? path }
    var testDescription: String { path }

    var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }
  }

  static func files(_ endings: String...) -> [File] {
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: root + "/Sources")) ?? []
    return names.filter { name in endings.contains { name.hasSuffix($0) } }.sorted().compactMap { name in
      guard let bytes = FileManager.default.contents(atPath: "\(root)/Sources/\(name)") else { return nil }
      return File(path: name, text: String(decoding: bytes, as: UTF8.self))
    }
  }
}
