import Screen

/// Appearance of every role.
///
/// Only the steps of a heat map have a background, and their text colours are readable on it. A selection is
/// in reverse video. Colour is never the only mark of a state: a sign or a word also shows it.
public struct Theme: Hashable, Sendable {
  public let name: String
  private let looks: [Role: Look]

  public init(name: String, looks: [Role: Look]) {
    (self.name, self.looks) = (name, looks)
  }

  public subscript(role: Role) -> Look { looks[role] ?? Look() }

  public static let all: [Theme] = [.terminal, .dark, .light, .colourBlind, .mono]

  public static func named(_ name: String) -> Theme? { all.first { $0.name == name } }

  /// Theme with the user's own sixteen colours, except for the shades of a heat map.
  public static let terminal = Theme(
    name: "terminal",
    looks: [
      .dim: Look(dim: true), .heading: Look(nil, .bold), .accent: Look(.cyan), .good: Look(.green),
      .warn: Look(.yellow), .bad: Look(.red, .bold), .info: Look(.brightBlue),
      .selection: Look(nil, .reverse),
      .border: Look(dim: true), .key: Look(.cyan, .bold), .money: Look(.magenta), .track: Look(dim: true),
    ].merging(HeatRamp.anyGround.looks(fewer: .cyan)) { $1 })

  public static let dark = Theme(
    name: "dark",
    looks: fixed(
      .dark,
      dim: Colour(7, exact: 245, rgb: 0x8A8F98), heading: Colour(7, bright: true, exact: 255, rgb: 0xF2F4F8),
      accent: Colour(6, exact: 80, rgb: 0x5CC8D7), good: Colour(2, exact: 114, rgb: 0x7EC77B),
      warn: Colour(3, exact: 221, rgb: 0xF2C55C), bad: Colour(1, exact: 203, rgb: 0xFF6B61),
      info: Colour(4, exact: 111, rgb: 0x7FB0FF), border: Colour(7, exact: 240, rgb: 0x4A505A),
      money: Colour(5, exact: 176, rgb: 0xD39BD8), track: Colour(7, exact: 238, rgb: 0x3A3F47)))

  public static let light = Theme(
    name: "light",
    looks: fixed(
      .light,
      dim: Colour(0, exact: 242, rgb: 0x666B73), heading: Colour(0, exact: 16, rgb: 0x101418),
      accent: Colour(6, exact: 30, rgb: 0x007A87), good: Colour(2, exact: 28, rgb: 0x1F7A1F),
      warn: Colour(3, exact: 130, rgb: 0xA65300), bad: Colour(1, exact: 160, rgb: 0xC2001B),
      info: Colour(4, exact: 25, rgb: 0x0A55B5), border: Colour(0, exact: 248, rgb: 0xA8ADB5),
      money: Colour(5, exact: 90, rgb: 0x7A1F85), track: Colour(0, exact: 252, rgb: 0xD0D3D8)))

  /// Colours for dark backgrounds and red-green blindness: *Color Universal Design* by Okabe and Ito.
  public static let colourBlind = Theme(
    name: "colour-blind",
    looks: fixed(
      .blue,
      dim: Colour(7, exact: 245, rgb: 0x8A8F98), heading: Colour(7, bright: true, exact: 255, rgb: 0xF2F4F8),
      accent: Colour(6, exact: 36, rgb: 0x009E73), good: Colour(4, bright: true, exact: 74, rgb: 0x56B4E9),
      warn: Colour(3, exact: 227, rgb: 0xF0E442), bad: Colour(1, exact: 166, rgb: 0xD55E00),
      info: Colour(5, exact: 175, rgb: 0xCC79A7), border: Colour(7, exact: 240, rgb: 0x4A505A),
      money: Colour(3, exact: 214, rgb: 0xE69F00), track: Colour(7, exact: 238, rgb: 0x3A3F47)))

  private static func fixed(
    _ ramp: HeatRamp, dim: Colour, heading: Colour, accent: Colour, good: Colour, warn: Colour, bad: Colour,
    info: Colour,
    border: Colour, money: Colour, track: Colour
  ) -> [Role: Look] {
    [
      .dim: Look(dim), .heading: Look(heading, .bold), .accent: Look(accent), .good: Look(good),
      .warn: Look(warn), .bad: Look(bad, .bold), .info: Look(info), .selection: Look(nil, .reverse),
      .border: Look(border), .key: Look(accent, .bold), .money: Look(money), .track: Look(track),
    ].merging(ramp.looks(fewer: accent)) { $1 }
  }

  /// Theme without colours, which replaces every other theme if the terminal has none or `NO_COLOR` is set.
  public static let mono = Theme(
    name: "mono",
    looks: [
      .dim: Look(dim: true), .heading: Look(nil, [.bold, .underline]), .warn: Look(nil, .bold),
      .bad: Look(nil, [.bold]), .selection: Look(nil, .reverse), .border: Look(dim: true),
      .key: Look(nil, .bold), .track: Look(dim: true), .heat0: Look(dim: true), .heat1: Look(dim: true),
      .heat5: Look(nil, .bold), .heat6: Look(nil, .bold), .heat7: Look(nil, .bold),
    ])

  /// Roles that a custom theme may colour: all except the selection (reverse video) and a heat map's shades.
  public static let ownRoles: [(name: String, role: Role)] = [
    ("text", .text), ("dim", .dim), ("heading", .heading), ("accent", .accent), ("good", .good),
    ("warn", .warn), ("bad", .bad), ("info", .info), ("border", .border), ("key", .key), ("money", .money),
    ("track", .track),
  ]

  /// Returns a copy with another name and other colours; a colour of `nil` is the default foreground.
  ///
  /// Bold and underline stay, but text with a colour is not faint.
  public func named(_ name: String, with colours: [Role: Colour?]) -> Theme {
    let roles = Role.allCases.map { role -> (Role, Look) in
      var look = self[role]
      if let colour = colours[role] {
        look.foreground = colour
        if colour != nil { look.isDim = false }
      }
      return (role, look)
    }
    return Theme(name: name, looks: Dictionary(uniqueKeysWithValues: roles))
  }
}
