import Screen
import Terminal
import Testing

@Suite struct ThemeTests {
  @Test(
    arguments: [
      (0, .none), (2, .none), (8, .eight), (16, .sixteen), (88, .sixteen), (256, .many),
      (16_777_216, .direct),
    ]
      as [(Int32, ColourDepth)])
  func `a depth for each number of colours`(_ colours: Int32, _ depth: ColourDepth) {
    #expect(ColourDepth(colours: colours) == depth)
  }

  @Test func `a colour falls back as colours get fewer`() {
    let colour = Colour(3, bright: true, exact: 221, rgb: 0xF2C55C)
    #expect(ColourDepth.allCases.map(colour.number) == [-1, 3, 11, 221, 0xF2C55C])
    #expect(Colour(2).number(at: .many) == 2)
    #expect(Colour(4, bright: true).number(at: .direct) == 4)
  }

  @Test(arguments: Theme.all.map(\.name)) func `themes are found by name and mark what must be seen`(
    _ name: String
  ) throws {
    let theme = try #require(Theme.named(name))
    #expect(theme[.selection].attributes.contains(.reverse))
    #expect(theme[.selection].foreground == nil)
    #expect(theme[.text] == Look())
    #expect(theme[.bad] != theme[.good])
  }

  @Test func `an unknown theme is not found`() {
    #expect(Theme.named("neon") == nil)
    #expect(Set(Theme.all.map(\.name)).count == Theme.all.count)
  }

  @Test(
    arguments: [
      (.notATerminal(.input), "standard input is not a terminal"),
      (.notATerminal(.output), "standard output is not a terminal"),
      (.termUnset, "TERM is not set"),
      (.termUnknown("vt\u{1B}[2J"), "TERM=vt?[2J"),
      (.termIncapable("dumb"), "TERM=dumb cannot move its cursor"),
    ] as [(TerminalError, String)])
  func `an error says what is wrong and what to do`(_ error: TerminalError, _ part: String) {
    #expect(error.description.hasPrefix("cannot open the dashboard: "))
    #expect(error.description.contains(part))
    #expect(error.description.contains("subtop report"))
    #expect(error.description.unicodeScalars.allSatisfy { $0.value >= 0x20 })
  }
}
