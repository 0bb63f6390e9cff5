import FoundationEssentials
import Testing

@Suite struct LinkTests {
  /// What a page links to within the repository is there.
  @Test(arguments: ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "data/README.md"])
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
}
