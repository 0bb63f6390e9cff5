import Glibc
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

  @Test(
    arguments: [
      ("red", Colour(1)), ("bright-blue", Colour(4, bright: true)),
      ("#7EC77B", Colour(2, bright: true, exact: 114, rgb: 0x7EC77B)),
      ("#ff0000", Colour(1, exact: 196, rgb: 0xFF0000)),
      ("#808080", Colour(7, exact: 244, rgb: 0x808080)), ("#000000", Colour(0, exact: 16, rgb: 0)),
      ("#12345", nil), ("#12345g", nil), ("#-12345", nil), ("gren", nil), ("Red", nil), ("bright-", nil),
      ("", nil),
    ] as [(String, Colour?)])
  func `a colour is read by its name`(_ name: String, _ colour: Colour?) {
    #expect(Colour(named: name) == colour)
  }

  @Test func `a theme of one's own keeps what it does not name`() {
    let own = Theme.terminal.named("mine", with: [.good: Colour(4), .dim: Colour(7), .accent: nil])
    #expect(own.name == "mine" && own[.good].foreground == Colour(4))
    #expect(!own[.dim].isDim && own[.dim].foreground == Colour(7))
    #expect(own[.accent].foreground == nil && own[.bad] == Theme.terminal[.bad])
    #expect(
      Role.heat.allSatisfy { own[$0] == Theme.terminal[$0] } && own[.selection] == Theme.terminal[.selection])
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

  @Test(arguments: Theme.all.filter { $0 != .mono }, [ColourDepth.many, .direct])
  func `each step of heat is read on its ground`(_ theme: Theme, _ depth: ColourDepth) throws {
    let paints = try Role.heat.map { try #require(theme[$0].drawn(at: depth).paint) }
    let luminances = paints.map { Luminance.of($0.ground.number(at: depth), depth) }
    for (paint, ground) in zip(paints, luminances) {
      let text = Luminance.of(paint.text.number(at: depth), depth)
      let contrast = (max(text, ground) + 0.05) / (min(text, ground) + 0.05)
      #expect(contrast >= 4.5, "as WCAG asks for text: \(contrast)")
    }
    let pairs = zip(luminances, luminances.dropFirst())
    #expect(theme == .light ? pairs.allSatisfy { $0 > $1 } : pairs.allSatisfy { $0 < $1 })
  }

  @Test(arguments: Theme.all, [ColourDepth.none, .eight, .sixteen])
  func `heat paints no ground where there are few colours, and still begins faint and ends strong`(
    _ theme: Theme, _ depth: ColourDepth
  ) {
    let looks = Role.heat.map { theme[$0].drawn(at: depth) }
    #expect(looks.allSatisfy { $0.paint == nil })
    #expect(looks[0].isDim && looks[7].attributes.contains(.bold) && Set(looks).count > 2)
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

/// Relative luminance as defined by WCAG 2.
private enum Luminance {
  static func of(_ number: Int32, _ depth: ColourDepth) -> Double {
    let (red, green, blue) = depth == .direct ? parts(number) : ofThe256(number)
    return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
  }

  private static func parts(_ rgb: Int32) -> (Int32, Int32, Int32) {
    (rgb >> 16 & 255, rgb >> 8 & 255, rgb & 255)
  }

  /// Color of xterm's 6×6×6 cube and gray ramp, as red, green and blue.
  private static func ofThe256(_ number: Int32) -> (Int32, Int32, Int32) {
    if number >= 232 {
      let grey = 8 + 10 * (number - 232)
      return (grey, grey, grey)
    }
    let levels: [Int32] = [0, 95, 135, 175, 215, 255]
    let place = Int(number) - 16
    return (levels[place / 36], levels[place / 6 % 6], levels[place % 6])
  }

  private static func linear(_ part: Int32) -> Double {
    let share = Double(part) / 255
    return share <= 0.03928 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
  }
}
