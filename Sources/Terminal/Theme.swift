import Screen

/// How one role looks.
public struct Look: Hashable, Sendable {
  /// nil for the terminal's own foreground. The background is always the terminal's own.
  public var foreground: Colour?
  public var attributes: Attributes
  /// Fainter, on terminals that can.
  public var isDim: Bool

  public init(_ foreground: Colour? = nil, _ attributes: Attributes = [], dim isDim: Bool = false) {
    self.foreground = foreground
    self.attributes = attributes
    self.isDim = isDim
  }
}

/// How every role looks.
///
/// No theme paints a background, and a selection is reverse video, so all of them can be read on dark and
/// on light terminals; state is never said by colour alone.
public struct Theme: Hashable, Sendable {
  public let name: String
  private let looks: [Role: Look]

  public init(name: String, looks: [Role: Look]) {
    self.name = name
    self.looks = looks
  }

  public subscript(role: Role) -> Look { looks[role] ?? Look() }

  /// The themes that a configuration may name.
  public static let all: [Theme] = [.terminal, .dark, .light, .mono]

  public static func named(_ name: String) -> Theme? { all.first { $0.name == name } }
}

extension Theme {
  /// The user's own sixteen colours, whatever they are.
  public static let terminal = Theme(
    name: "terminal",
    looks: [
      .dim: Look(dim: true), .heading: Look(nil, .bold), .accent: Look(.cyan), .good: Look(.green),
      .warn: Look(.yellow), .bad: Look(.red, .bold), .info: Look(.brightBlue),
      .selection: Look(nil, .reverse),
      .border: Look(dim: true), .key: Look(.cyan, .bold), .money: Look(.magenta), .track: Look(dim: true),
    ])

  /// Fixed colours for dark backgrounds, where the terminal has 256.
  public static let dark = Theme(
    name: "dark",
    looks: [
      .dim: Look(Colour(7, exact: 245)), .heading: Look(Colour(7, bright: true, exact: 255), .bold),
      .accent: Look(Colour(6, exact: 80)), .good: Look(Colour(2, exact: 114)),
      .warn: Look(Colour(3, exact: 221)), .bad: Look(Colour(1, exact: 203), .bold),
      .info: Look(Colour(4, exact: 111)), .selection: Look(nil, .reverse),
      .border: Look(Colour(7, exact: 240)), .key: Look(Colour(6, exact: 80), .bold),
      .money: Look(Colour(5, exact: 176)), .track: Look(Colour(7, exact: 238)),
    ])

  /// Fixed colours for light backgrounds, where the terminal has 256.
  public static let light = Theme(
    name: "light",
    looks: [
      .dim: Look(Colour(0, exact: 242)), .heading: Look(Colour(0, exact: 16), .bold),
      .accent: Look(Colour(6, exact: 30)), .good: Look(Colour(2, exact: 28)),
      .warn: Look(Colour(3, exact: 130)), .bad: Look(Colour(1, exact: 160), .bold),
      .info: Look(Colour(4, exact: 25)), .selection: Look(nil, .reverse),
      .border: Look(Colour(0, exact: 248)), .key: Look(Colour(6, exact: 30), .bold),
      .money: Look(Colour(5, exact: 90)), .track: Look(Colour(0, exact: 252)),
    ])

  /// Bold, reverse, underline and faint alone; what `NO_COLOR` leaves of every theme.
  public static let mono = Theme(
    name: "mono",
    looks: [
      .dim: Look(dim: true), .heading: Look(nil, [.bold, .underline]), .warn: Look(nil, .bold),
      .bad: Look(nil, [.bold]), .selection: Look(nil, .reverse), .border: Look(dim: true),
      .key: Look(nil, .bold), .track: Look(dim: true),
    ])
}
