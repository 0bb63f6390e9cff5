public enum Alignment: Hashable, Sendable {
  case left
  case right
  case centre
}

public struct TextSpan: Hashable, Sendable, ExpressibleByStringInterpolation {
  public var text: String
  public var style: Style

  public init(_ text: String, _ style: Style = .text) {
    self.text = text
    self.style = style
  }

  public init(stringLiteral value: String) { self.init(value) }
}

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
