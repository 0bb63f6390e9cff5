import Dashboard
import Screen
import Testing

@Suite("README") struct ReadmeTests {
  private static let text: String = {
    let root = #filePath.split(separator: "/").dropLast(4).map { "/\($0)" }.joined()
    return (try? File.text("\(root)/README.md")) ?? ""
  }()

  private static var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }

  /// Cells of the table between two HTML comments, without the header.
  private static func table(_ name: String) -> [[String]] {
    let rows = lines.drop { !$0.hasPrefix("<!-- \(name):") }.prefix { $0 != "<!-- /\(name) -->" }
      .filter { $0.hasPrefix("| ") }.dropFirst()
    return rows.map { row in
      row.replacing("\\|", with: "\u{0}").dropFirst(2).dropLast(2).split(separator: " | ")
        .map { String($0).replacing("\u{0}", with: "|") }
    }
  }

  @Test func isShort() {
    #expect((50...160).contains(Self.lines.count - 1))
  }

  private func commands(of section: String) -> [String] {
    let block = Self.lines.drop { $0 != "## \(section)" }.drop { !$0.hasPrefix("```") }.dropFirst()
    return block.prefix { !$0.hasPrefix("```") }.map { line in
      line.prefix { $0 != "#" }.split(separator: " ").joined(separator: " ")
    }
  }

  @Test func beginsWithThePackageAndThenTheSource() async throws {
    let version = try await Subtop().run("--version").output.prefix { !$0.isWhitespace }
    #expect(commands(of: "Install") == ["apt install ./subtop_\(version)-1_amd64.deb", "subtop demo"])
    #expect(commands(of: "From source") == ["make demo", "make test"])
    let sections = Self.lines.filter { $0.hasPrefix("## ") }.prefix(2)
    #expect(sections == ["## Install", "## From source"])
    #expect(Self.text.contains("subtop-\(version)-linux-x86_64.tar.xz"))
  }

  @Test func theChangelogHasTheVersion() async throws {
    let version = try await Subtop().run("--version").output.prefix { !$0.isWhitespace }
    let root = #filePath.split(separator: "/").dropLast(4).map { "/\($0)" }.joined()
    let sections = try File.text("\(root)/CHANGELOG.md").split(separator: "\n").filter { $0.hasPrefix("## ") }
    #expect(sections.prefix(2).contains { $0.hasPrefix("## \(version) - ") }, "\(sections)")
  }

  @Test func hasTenKeysOfTheDashboard() {
    let rows = Self.table("keys")
    #expect(rows.count == 10)
    let known = KeyMap.standard.bindings.map { binding in
      [binding.keys.map { "`\($0.name)`" }.joined(separator: " "), binding.title]
    }
    #expect(rows.filter { !known.contains($0) } == [])
  }

  @Test func hasExactlyTheExistingCommands() {
    let rows = Self.table("commands").map { $0[0] }
    let names = rows.map { $0.split { !$0.isLetter }.dropFirst().first.map(String.init) ?? "" }
    #expect(names == HelpTests.commands + ["help"])
  }

  @Test func namesOnlyExistingOptions() async throws {
    let help = try await Subtop().run("help", "commands").output
    for row in Self.table("commands").map({ $0.joined(separator: " ") }) {
      let words = row.split(whereSeparator: { !($0.isLetter || $0 == "-") })
      for option in words where option.hasPrefix("--") { #expect(help.contains("\(option)"), "\(option)") }
    }
  }

  @Test func namesOnlyExistingTopics() {
    let named = Self.text.split(separator: "`subtop help ").dropFirst().map {
      String($0.prefix { $0 != "`" })
    }
    #expect(named.count > 3)
    #expect(named.filter { !HelpTests.topics.contains($0) && $0 != "[TOPIC]" } == [])
  }
}
