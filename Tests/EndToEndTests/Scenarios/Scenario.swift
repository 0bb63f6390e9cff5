import Glibc
import Testing

/// A folder of `data/scenarios`: what happens to a subscriber, and what METRICS makes of it, written by hand.
struct Scenario: Sendable, CustomTestStringConvertible {
  let name: String

  var testDescription: String { name }

  /// Read from the disk, so that a new folder is a new test.
  static let all = File.names(in: root).filter { File.exists("\(root)/\($0)/expected.json") }
    .map(Scenario.init(name:))

  /// `data/scenarios` of the repository that holds this file, through any links.
  static let root: String = {
    var real = [CChar](repeating: 0, count: Int(PATH_MAX))
    let path = realpath(#filePath, &real).map { String(cString: $0) } ?? #filePath
    return path.split(separator: "/").dropLast(4).reduce(into: "") { $0 += "/" + $1 } + "/data/scenarios"
  }()

  /// The path of a file of the scenario; nil where it has none.
  func path(of file: String) -> String? {
    let path = "\(Scenario.root)/\(name)/\(file)"
    return File.exists(path) ? path : nil
  }

  /// A JSON Lines file, line by line; empty where there is none.
  func lines(of file: String) throws -> [String] {
    try path(of: file).map(File.text)?.split(separator: "\n").map(String.init) ?? []
  }

  func expected() throws -> ExpectedScenario {
    try ExpectedScenario(JSON(File.bytes("\(Scenario.root)/\(name)/expected.json")))
  }
}
