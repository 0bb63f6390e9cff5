import Screen

/// Background colours for the steps of a heat map, from the lowest to the highest, and their text colours.
struct HeatRamp {
  private let grounds: [(rgb: Int32, exact: Int32)]
  /// Index of the step at which the text changes between white and black, for RGB and for 256 colours.
  private let turn: (rgb: Int, exact: Int)
  /// Whether the first steps have a dark background and white text.
  private let beginsDark: Bool

  private static let white = Colour(7, bright: true, exact: 231, rgb: 0xFFFFFF)
  private static let black = Colour(0, exact: 16, rgb: 0x000000)

  /// Returns the look of each step; terminals with fewer than 256 colours use attributes and `foreground`.
  func looks(fewer foreground: Colour) -> [Role: Look] {
    let fewer = [
      Look(dim: true), Look(), Look(foreground), Look(foreground), Look(foreground, .bold),
      Look(foreground, .reverse), Look(foreground, .reverse), Look(foreground, [.bold, .reverse]),
    ]
    let looks = zip(grounds, fewer).enumerated().map { step, pair in
      let (ground, look) = pair
      let text = Colour(
        7, exact: (step < turn.exact) == beginsDark ? Self.white.exact : Self.black.exact,
        rgb: (step < turn.rgb) == beginsDark ? Self.white.rgb : Self.black.rgb)
      return Look(
        look.foreground, look.attributes, dim: look.isDim,
        paint: Paint(text, on: Colour(6, exact: ground.exact, rgb: ground.rgb)))
    }
    return Dictionary(uniqueKeysWithValues: zip(Role.heat, looks))
  }

  static let dark = HeatRamp(
    grounds: [
      (0x1E2A33, 235), (0x203C46, 237), (0x214D59, 239), (0x225E6C, 23), (0x24707F, 30), (0x4895A1, 73),
      (0x6BBBC4, 116), (0x8FE0E6, 159),
    ], turn: (5, 4), beginsDark: true)

  static let light = HeatRamp(
    grounds: [
      (0xE4EDEF, 254), (0xBBD8DC, 188), (0x92C2C9, 152), (0x68ACB6, 116), (0x3F97A3, 73), (0x2B7C87, 37),
      (0x18606B, 30), (0x04454F, 23),
    ], turn: (5, 7), beginsDark: false)

  /// Ramp that begins dark, in a hue that colour-blind users can distinguish.
  static let blue = HeatRamp(
    grounds: [
      (0x1E2833, 235), (0x21384C, 237), (0x244964, 239), (0x285A7D, 24), (0x2B6A96, 67), (0x5590B7, 74),
      (0x7EB6D9, 117), (0xA8DCFA, 153),
    ], turn: (5, 4), beginsDark: true)

  /// Ramp from grey to a saturated colour, for terminals whose background is unknown.
  static let anyGround = HeatRamp(
    grounds: [
      (0x6A7078, 241), (0x5B7780, 242), (0x4A7B86, 243), (0x3E8590, 66), (0x2F8C98, 73), (0x3DA8B3, 80),
      (0x4AC4CD, 116), (0x58E0E8, 123),
    ], turn: (3, 3), beginsDark: true)
}
