/// A colour as terminals name them, with what stands for it where there are fewer.
public struct Colour: Hashable, Sendable {
  /// One of the eight: black, red, green, yellow, blue, magenta, cyan, white.
  public var basic: Int32
  /// Whether the lighter one of the sixteen is meant.
  public var isBright: Bool
  /// The colour of the 256 that is meant when there are so many; otherwise the user's own of the sixteen.
  public var exact: Int32?
  /// Red, green and blue as `0xRRGGBB`, for terminals that take any colour.
  public var rgb: Int32?

  public init(_ basic: Int32, bright isBright: Bool = false, exact: Int32? = nil, rgb: Int32? = nil) {
    self.basic = basic
    self.isBright = isBright
    self.exact = exact
    self.rgb = rgb
  }

  static let red = Colour(1)
  static let green = Colour(2)
  static let yellow = Colour(3)
  /// The darker one cannot be read on black in many palettes.
  static let brightBlue = Colour(4, bright: true)
  static let magenta = Colour(5)
  static let cyan = Colour(6)
}

/// How many colours a terminal has.
public enum ColourDepth: Int32, CaseIterable, Comparable, Sendable {
  case none = 0
  case eight = 8
  case sixteen = 16
  case many = 256
  case direct = 16_777_216

  /// The depth of a terminal of so many colours.
  public init(colours: Int32) {
    self = Self.allCases.last { $0.rawValue <= colours } ?? .none
  }

  public static func < (left: ColourDepth, right: ColourDepth) -> Bool { left.rawValue < right.rawValue }
}

extension Colour {
  /// The terminal's number for it; -1, its own foreground, where it has no colours.
  public func number(at depth: ColourDepth) -> Int32 {
    switch depth {
    case .none: -1
    case .eight: basic
    case .sixteen: isBright ? basic + 8 : basic
    case .many: exact ?? (isBright ? basic + 8 : basic)
    // Of such a terminal only the first eight are numbers of colours (terminfo's xterm-direct).
    case .direct: rgb ?? basic
    }
  }
}
