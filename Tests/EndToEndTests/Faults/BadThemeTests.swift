import Glibc
import Testing

struct BadTheme: CustomTestStringConvertible, Sendable {
  var name = "dusk"
  var text: String
  var says: String
  var testDescription: String { text.replacing("\n", with: " ") }

  static let all: [BadTheme] = [
    BadTheme(text: "good = \"gren\"\n", says: "good is not a colour: write red, green"),
    BadTheme(text: "good = 3\n", says: "good is not text"),
    BadTheme(
      text: "goood = \"red\"\n",
      says: "has a key goood that subtop does not know; there is base, and text, dim"),
    BadTheme(text: "base = \"dusk\"\n", says: "base is not one of terminal, dark, light, colour-blind, mono"),
    BadTheme(name: "dark", text: "", says: "subtop has a theme dark itself; call the file otherwise"),
    BadTheme(name: "a b", text: "", says: "a theme's name is letters, digits, - and _"),
  ]
}

@Suite("Themes of one's own") struct BadThemeTests {
  /// Built-in names take precedence, so such a file cannot be chosen.
  @Test(
    "that are chosen and wrong end the dashboard with a sentence that names file and key",
    arguments: BadTheme.all.filter { $0.name != "dark" })
  func areTold(_ bad: BadTheme) async throws {
    let subtop = try Subtop()
    let file = try make(bad, of: subtop)
    let config = try subtop.file("config.toml", "theme = \"\(bad.name)\"\n")
    let outcome = try await subtop.run("dashboard", "--config", config)
    #expect(outcome.ending == .code(78), "\(outcome.errors)")
    #expect(outcome.errors.contains(file) && outcome.errors.contains(bad.says), "\(outcome.errors)")
    let doctor = try await subtop.run("doctor", "--config", config)
    #expect(doctor.output.contains(bad.says), "\(doctor.output)")
  }

  @Test("that are wrong and not chosen stop nothing", arguments: BadTheme.all)
  func areLeftOut(_ bad: BadTheme) async throws {
    let subtop = try Subtop()
    let file = try make(bad, of: subtop)
    let config = try subtop.file("config.toml", bad.name == "dark" ? "theme = \"dark\"\n" : "")
    // The only error is the missing terminal.
    let outcome = try await subtop.run("dashboard", "--config", config)
    #expect(outcome.ending == .code(64) && !outcome.errors.contains("theme"), "\(outcome.errors)")
    let doctor = try await subtop.run("doctor", "--config", config)
    #expect(doctor.output.contains(file) && doctor.output.contains(bad.says), "\(doctor.output)")
  }

  @Test(.enabled(if: Tmux.isThere, "tmux is not installed"))
  func oneThatIsLeftOutIsNamedOnTheScreen() async throws {
    let subtop = try await SmallStore.copy()
    _ = try make(BadTheme.all[0], of: subtop)
    let config = try subtop.file("config.toml", "")
    let visit = try await Visit(subtop, ["--at", World.now, "--config", config])
    try await visit.tmux.wait(for: "cannot use the theme file")
    try await visit.tmux.press("q")
    try await visit.isOver(0)
  }

  private func make(_ bad: BadTheme, of subtop: Subtop) throws -> String {
    #expect(mkdir(subtop.home / "themes", 0o700) == 0)
    return try subtop.file("themes/\(bad.name).toml", bad.text)
  }

  @Test func thatIsRightMayBeNamed() async throws {
    let subtop = try Subtop()
    let config = try subtop.file("config.toml", "theme = \"dusk\"\n")
    #expect(mkdir(subtop.home / "themes", 0o700) == 0)
    _ = try subtop.file(
      "themes/dusk.toml", "base = \"dark\"\ngood = \"#7EC77B\"\nbad = \"bright-red\"\ntext = \"default\"\n")
    let printed = try await subtop.run("config", "--effective", "--config", config)
    #expect(printed.ending == .code(0) && printed.output.contains("theme = \"dusk\""), "\(printed.errors)")
  }
}
