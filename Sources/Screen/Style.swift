/// Meaning of a text or cell; the terminal's theme decides how it looks.
public enum Role: UInt8, CaseIterable, Hashable, Sendable {
  case text, dim, heading, accent, good, warn, bad, info, selection, border, key, money, track
  /// Steps of a heat map's shades, from the lowest to the highest share.
  case heat0, heat1, heat2, heat3, heat4, heat5, heat6, heat7

  public static let heat: [Role] = [.heat0, .heat1, .heat2, .heat3, .heat4, .heat5, .heat6, .heat7]
}

/// Attributes that monochrome terminals can show.
public struct Attributes: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let bold = Attributes(rawValue: 1)
  public static let reverse = Attributes(rawValue: 2)
  public static let underline = Attributes(rawValue: 4)
}

/// Role and attributes of a text or cell.
public struct Style: Hashable, Sendable {
  public var role: Role
  public var attributes: Attributes

  public init(_ role: Role, _ attributes: Attributes = []) {
    (self.role, self.attributes) = (role, attributes)
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

  public static func heat(_ share: Double) -> Style { Style(Role.heat[Self.heatStep(share)]) }

  static func heatStep(_ share: Double) -> Int {
    guard share.isFinite, share > 0 else { return 0 }
    return Int(min(Double(Role.heat.count - 1), share * Double(Role.heat.count)))
  }
}

public enum Alignment: Hashable, Sendable {
  case left, right, centre
}

/// Text in one style.
public struct TextSpan: Hashable, Sendable, ExpressibleByStringInterpolation {
  public var text: String
  public var style: Style

  public init(_ text: String, _ style: Style = .text) {
    (self.text, self.style) = (text, style)
  }

  public init(stringLiteral value: String) { self.init(value) }
}

/// Text in one or several styles.
public struct StyledText: Hashable, Sendable, ExpressibleByArrayLiteral, ExpressibleByStringInterpolation {
  public var spans: [TextSpan]

  public init(_ spans: [TextSpan]) { self.spans = spans }
  public init(_ text: String, _ style: Style = .text) { self.init([TextSpan(text, style)]) }
  public init(arrayLiteral elements: TextSpan...) { self.init(elements) }
  public init(stringLiteral value: String) { self.init(value) }

  public var text: String { spans.count == 1 ? spans[0].text : spans.map(\.text).joined() }

  public static func + (left: StyledText, right: StyledText) -> StyledText {
    StyledText(left.spans + right.spans)
  }
}
