import Glibc
import Testing

@Suite("Themes of one's own") struct BadThemeTests {
  private static let bad: [(String, String, String)] = [
    ("dusk", "good = \"gren\"\n", "good is not a colour: use default, a value such as #ff8800, red, green"),
    ("dusk", "good = 3\n", "good is not a string"),
    (
      "dusk", "goood = \"red\"\n",
      "has an unknown key goood; the keys are base, text, dim"
    ),
    ("dusk", "base = \"dusk\"\n", "base is not one of terminal, dark, light, colour-blind, mono"),
    ("dark", "", "dark is a built-in theme; rename the file"),
    ("a b", "", "a theme's name may only have letters, digits, - and _"),
  ]

  /// A bad theme file stops the dashboard only if it is chosen, which a built-in name makes impossible.
  @Test(arguments: bad)
  func isNamedAndStopsTheDashboardIfItIsChosen(
    _ name: String, _ text: String, _ says: String
  ) async throws {
    let subtop = try Subtop()
    let file = try make(name, text, of: subtop)
    for isChosen in [false, true] where !isChosen || name != "dark" {
      let theme = isChosen ? name : "terminal"
      let config = try subtop.file("config.toml", "theme = \"\(theme)\"\n")
      // Otherwise the only error is the missing terminal.
      let outcome = try await subtop.run("dashboard", "--config", config, code: isChosen ? 78 : 64)
      for words in [file, says] {
        #expect(outcome.errors.contains(words) == isChosen, "\(outcome.errors)")
      }
    }
  }

  @Test(.enabled(if: Tmux.isThere, "tmux is not installed"))
  func anIgnoredThemeIsNamedOnTheScreen() async throws {
    let subtop = try await SmallStore.copy()
    _ = try make("dusk", "good = 3\n", of: subtop)
    let config = try subtop.file("config.toml", "")
    let visit = try await Visit(subtop, ["--at", World.now, "--config", config])
    try await visit.tmux.wait(for: "cannot use the theme file")
    try await visit.tmux.press("F10")
    try await visit.isOver(0)
  }

  private func make(_ name: String, _ text: String, of subtop: Subtop) throws -> String {
    #expect(mkdir(subtop.home / "themes", 0o700) == 0)
    return try subtop.file("themes/\(name).toml", text)
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
