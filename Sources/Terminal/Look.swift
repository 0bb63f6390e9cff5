import Screen

/// How one role looks.
public struct Look: Hashable, Sendable {
  /// nil for the terminal's own foreground.
  public var foreground: Colour?
  public var attributes: Attributes
  /// Fainter, on terminals that can.
  public var isDim: Bool
  /// In place of all that where there are 256 colours or more; nil leaves the background the terminal's own.
  public var paint: Paint?

  public init(
    _ foreground: Colour? = nil, _ attributes: Attributes = [], dim isDim: Bool = false, paint: Paint? = nil
  ) {
    self.foreground = foreground
    self.attributes = attributes
    self.isDim = isDim
    self.paint = paint
  }

  /// What of it is drawn on a terminal of so many colours.
  public func drawn(at depth: ColourDepth) -> Look {
    guard let paint, depth >= .many else { return Look(foreground, attributes, dim: isDim) }
    return Look(paint.text, paint: paint)
  }
}

/// A text and the ground that it is read on, whatever the terminal's own are.
public struct Paint: Hashable, Sendable {
  public var text: Colour
  public var ground: Colour

  public init(_ text: Colour, on ground: Colour) { (self.text, self.ground) = (text, ground) }
}
