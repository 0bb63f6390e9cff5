/// Which end of its room a text keeps to.
public enum Alignment: Hashable, Sendable {
  case left
  case right
  case centre
}

/// A text and the style it is drawn in.
public struct Span: Hashable, Sendable, ExpressibleByStringInterpolation {
  public var text: String
  public var style: Style

  public init(_ text: String, _ style: Style = .text) {
    self.text = text
    self.style = style
  }

  public init(stringLiteral value: String) { self.init(value) }
}

/// Spans in a row.
public struct Line: Hashable, Sendable, ExpressibleByArrayLiteral, ExpressibleByStringInterpolation {
  public var spans: [Span]

  public init(_ spans: [Span]) { self.spans = spans }
  public init(_ text: String, _ style: Style = .text) { self.init([Span(text, style)]) }
  public init(arrayLiteral elements: Span...) { self.init(elements) }
  public init(stringLiteral value: String) { self.init(value) }

  /// The spans' texts without their styles.
  public var text: String { spans.map(\.text).joined() }

  public static func + (left: Line, right: Line) -> Line { Line(left.spans + right.spans) }
}
