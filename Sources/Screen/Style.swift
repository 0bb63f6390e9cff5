/// What a piece of the screen means; the terminal's theme says how that looks.
public enum Role: UInt8, CaseIterable, Hashable, Sendable {
  case text
  case dim
  case heading
  case accent
  case good
  case warn
  case bad
  case info
  case selection
  case border
  case key
  case money
  case track

  /// The role's letter in `Canvas.styleText`.
  public var letter: Character {
    switch self {
    case .text: "."
    case .dim: "d"
    case .heading: "h"
    case .accent: "a"
    case .good: "g"
    case .warn: "w"
    case .bad: "b"
    case .info: "i"
    case .selection: "s"
    case .border: "-"
    case .key: "k"
    case .money: "m"
    case .track: "t"
    }
  }
}

/// What monochrome terminals keep of a style.
public struct Attributes: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let bold = Attributes(rawValue: 1)
  public static let reverse = Attributes(rawValue: 2)
  public static let underline = Attributes(rawValue: 4)
}

/// A role and the attributes it is drawn with.
public struct Style: Hashable, Sendable {
  public var role: Role
  public var attributes: Attributes

  public init(_ role: Role, _ attributes: Attributes = []) {
    self.role = role
    self.attributes = attributes
  }

  public func adding(_ more: Attributes) -> Style { Style(role, attributes.union(more)) }

  public static let text = Style(.text)
  public static let strong = Style(.text, .bold)
  public static let dim = Style(.dim)
  public static let heading = Style(.heading)
  public static let accent = Style(.accent)
  public static let good = Style(.good)
  public static let warn = Style(.warn)
  public static let bad = Style(.bad)
  public static let info = Style(.info)
  public static let selection = Style(.selection)
  public static let border = Style(.border)
  public static let key = Style(.key)
  public static let money = Style(.money)
  public static let track = Style(.track)
}
