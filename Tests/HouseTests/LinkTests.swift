import FoundationEssentials
import Testing

@Suite struct LinkTests {
  @Test(arguments: ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "data/README.md"])
  func leadSomewhere(_ page: String) throws {
    let bytes = try #require(FileManager.default.contents(atPath: "\(House.root)/\(page)"))
    let targets = String(decoding: bytes, as: UTF8.self).split(separator: "](").dropFirst().map {
      String($0.prefix { $0 != ")" && $0 != "#" })
    }
    let missing = targets.filter {
      !$0.hasPrefix("http") && !FileManager.default.fileExists(atPath: "\(House.root)/\($0)")
    }
    #expect(missing == [])
  }

  /// SECURITY.md names the suites that verify a sentence as `[Kill, Disk]`.
  @Test func theSuitesThatSecurityNamesAreThere() throws {
    let bytes = try #require(FileManager.default.contents(atPath: "\(House.root)/SECURITY.md"))
    var suites: Set<String> = []
    for text in String(decoding: bytes, as: UTF8.self).split(separator: "[").dropFirst() {
      for name in text.prefix(while: { $0 != "]" }).split(separator: ",") {
        suites.insert("\(name.filter { $0.isLetter })Tests.swift")
      }
    }
    #expect(suites.count > 30)
    let files = try FileManager.default.subpathsOfDirectory(atPath: "\(House.root)/Tests")
    let names = files.map { String($0.split(separator: "/").last ?? "") }
    #expect(suites.subtracting(names) == [])
  }
}
