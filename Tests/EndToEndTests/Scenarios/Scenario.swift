import Glibc
import Testing

/// Folder of `data/scenarios`: input and figures derived from METRICS by hand.
struct Scenario: Sendable, CustomTestStringConvertible {
  let name: String

  var testDescription: String { name }

  static let all = File.names(in: root).filter { File.exists("\(root)/\($0)/expected.json") }
    .map(Scenario.init(name:))

  static let root: String = {
    var real = [CChar](repeating: 0, count: Int(PATH_MAX))
    let path = realpath(#filePath, &real).map { String(cString: $0) } ?? #filePath
    return path.split(separator: "/").dropLast(4).reduce(into: "") { $0 += "/" + $1 } + "/data/scenarios"
  }()

  func path(of file: String) -> String? {
    let path = "\(Scenario.root)/\(name)/\(file)"
    return File.exists(path) ? path : nil
  }

  func lines(of file: String) throws -> [String] {
    try path(of: file).map(File.text)?.split(separator: "\n").map(String.init) ?? []
  }

  func expected() throws -> ExpectedScenario {
    try ExpectedScenario(JSON(File.bytes("\(Scenario.root)/\(name)/expected.json")))
  }
}
