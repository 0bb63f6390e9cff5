import Screen

/// Appearance of a role in a theme.
public struct Look: Hashable, Sendable {
  /// Text colour; `nil` for the terminal's default foreground.
  public var foreground: Colour?
  public var attributes: Attributes
  /// Whether the text is faint, if the terminal supports it.
  public var isDim: Bool
  /// Colours that replace the properties above if the terminal has 256 or more; `nil` for no replacement.
  public var paint: Paint?

  public init(
    _ foreground: Colour? = nil, _ attributes: Attributes = [], dim isDim: Bool = false, paint: Paint? = nil
  ) {
    (self.foreground, self.attributes, self.isDim, self.paint) = (foreground, attributes, isDim, paint)
  }

  public func drawn(at depth: ColourDepth) -> Look {
    guard let paint, depth >= .many else { return Look(foreground, attributes, dim: isDim) }
    return Look(paint.text, paint: paint)
  }
}

/// Text and background colours that do not depend on the terminal's default colours.
public struct Paint: Hashable, Sendable {
  public var text: Colour
  public var ground: Colour

  public init(_ text: Colour, on ground: Colour) { (self.text, self.ground) = (text, ground) }
}

/// Colour pair and attributes of a cell, in the form that `terminal_put_row` expects.
struct CellLook {
  let pair: Int16
  let attributes: UInt8
}
