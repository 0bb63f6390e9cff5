/// Colour with substitutes for terminals that support fewer colours.
public struct Colour: Hashable, Sendable {
  /// Index of a basic colour: black, red, green, yellow, blue, magenta, cyan, white.
  public var basic: Int32
  /// Whether `basic` means its bright variant on terminals with 16 or 256 colours.
  public var isBright: Bool
  /// Index in the palette of 256 colours; `nil` to use one of the user's sixteen colours.
  public var exact: Int32?
  /// Red, green and blue as `0xRRGGBB`, for terminals with direct colour; `nil` to use `basic`.
  public var rgb: Int32?

  public init(_ basic: Int32, bright isBright: Bool = false, exact: Int32? = nil, rgb: Int32? = nil) {
    (self.basic, self.isBright, self.exact, self.rgb) = (basic, isBright, exact, rgb)
  }

  static let red = Colour(1)
  static let green = Colour(2)
  static let yellow = Colour(3)
  /// Bright variant of blue, because dark blue is unreadable on black in many palettes.
  static let brightBlue = Colour(4, bright: true)
  static let magenta = Colour(5)
  static let cyan = Colour(6)
}

/// Number of colours that a terminal supports.
public enum ColourDepth: Int32, CaseIterable, Comparable, Sendable {
  case none = 0
  case eight = 8
  case sixteen = 16
  case many = 256
  case direct = 16_777_216

  public init(colours: Int32) {
    self = Self.allCases.last { $0.rawValue <= colours } ?? .none
  }

  public static func < (left: ColourDepth, right: ColourDepth) -> Bool { left.rawValue < right.rawValue }
}

extension Colour {
  /// Returns the terminal's number for the colour; -1 (default foreground) if the terminal has no colours.
  public func number(at depth: ColourDepth) -> Int32 {
    switch depth {
    case .none: -1
    case .eight: basic
    case .sixteen: isBright ? basic + 8 : basic
    case .many: exact ?? (isBright ? basic + 8 : basic)
    // With direct colour, only the first eight numbers select palette colours (terminfo's xterm-direct).
    case .direct: rgb ?? basic
    }
  }

  private static let names = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"]

  public init?(named name: String) {
    if name.hasPrefix("#") {
      let digits = name.dropFirst()
      guard digits.utf8.count == 6, digits.allSatisfy(\.isHexDigit), let rgb = Int32(digits, radix: 16) else {
        return nil
      }
      self.init(rgb: rgb)
    } else {
      let isBright = name.hasPrefix("bright-")
      guard let basic = Self.names.firstIndex(of: isBright ? String(name.dropFirst(7)) : name) else {
        return nil
      }
      self.init(Int32(basic), bright: isBright)
    }
  }

  /// Creates a colour whose substitutes are the nearest of 256 colours and a basic colour of the same hue.
  init(rgb: Int32) {
    let (red, green, blue) = (rgb >> 16 & 255, rgb >> 8 & 255, rgb & 255)
    let (low, high) = (min(red, green, blue), max(red, green, blue))
    let isGrey = (high - low) * 4 < high
    let half = (low + high) / 2
    func bit(_ part: Int32, _ value: Int32) -> Int32 { part > half ? value : 0 }
    let hue = bit(red, 1) + bit(green, 2) + bit(blue, 4)
    self.init(
      isGrey ? (high < 96 ? 0 : 7) : hue, bright: isGrey ? high > 230 : low > 96,
      exact: Self.nearest(red, green, blue), rgb: rgb)
  }

  /// Returns the index of the nearest of xterm's colours 16 to 255; users may change the first sixteen.
  private static func nearest(_ red: Int32, _ green: Int32, _ blue: Int32) -> Int32 {
    let levels: [Int32] = [0, 95, 135, 175, 215, 255]
    func place(_ part: Int32) -> Int {
      levels.indices.min { abs(levels[$0] - part) < abs(levels[$1] - part) } ?? 0
    }
    func distance(_ one: Int32, _ two: Int32, _ three: Int32) -> Int32 {
      (one - red) * (one - red) + (two - green) * (two - green) + (three - blue) * (three - blue)
    }
    let cube = (place(red), place(green), place(blue))
    let step = min(max(((red + green + blue) / 3 - 3) / 10, 0), 23)
    let grey = 8 + step * 10
    if distance(grey, grey, grey) < distance(levels[cube.0], levels[cube.1], levels[cube.2]) {
      return 232 + step
    }
    return Int32(16 + 36 * cube.0 + 6 * cube.1 + cube.2)
  }
}
