/// The names of the panels in one row, the one shown among them marked.
public struct TabBar: Sendable {
  public var titles: [String]
  public var selected: Int

  public init(_ titles: [String], selected: Int) {
    self.titles = titles
    self.selected = selected
  }

  /// Draws ` 1 Overview  2 Active … `; where not all fit only their numbers, save for the selected one.
  public func draw(on canvas: inout Canvas, in rect: Rect) {
    var line = line(short: false)
    if line.width(in: canvas.glyphs) > rect.columns { line = self.line(short: true) }
    canvas.within(rect) { $0.put(line, column: 0, row: 0) }
  }

  /// The tab at a place of the rectangle the bar was drawn in.
  public func tab(at place: Point, in rect: Rect, glyphs: GlyphSet = .unicode) -> Int? {
    guard rect.contains(place), place.row == rect.row else { return nil }
    let isShort = line(short: false).width(in: glyphs) > rect.columns
    var at = rect.column
    for index in titles.indices {
      at += tab(index, short: isShort).width(in: glyphs)
      if place.column < at { return index }
    }
    return nil
  }

  private func line(short: Bool) -> StyledText {
    titles.indices.reduce(StyledText([])) { $0 + tab($1, short: short) }
  }

  private func tab(_ index: Int, short: Bool) -> StyledText {
    let number = "\(index + 1)"
    if index == selected { return StyledText(" \(number) \(titles[index]) ", .selection) }
    if short { return [TextSpan(" \(number) ", .key)] }
    return [TextSpan(" \(number)", .key), TextSpan(" \(titles[index]) ", .dim)]
  }
}
