/// The names of the panels in one row, the one shown among them marked.
public struct TabBar: Sendable {
  public var titles: [String]
  public var selected: Int

  public init(_ titles: [String], selected: Int) {
    self.titles = titles
    self.selected = selected
  }

  /// How much of the titles there is room for.
  private enum Fit: CaseIterable {
    case roomy
    /// One blank between two.
    case tight
    /// Only the numbers, save for the selected one.
    case numbers
  }

  /// Draws ` 1 Overview  2 Active … `, closer together or as numbers where the room is narrow.
  public func draw(on canvas: inout Canvas, in rect: Rect) {
    let line = line(fit(rect.columns, in: canvas.glyphs))
    canvas.within(rect) { $0.put(line, column: 0, row: 0) }
  }

  /// The tab at a place of the rectangle the bar was drawn in.
  public func tab(at place: Point, in rect: Rect, glyphs: GlyphSet = .unicode) -> Int? {
    guard rect.contains(place), place.row == rect.row else { return nil }
    let fit = fit(rect.columns, in: glyphs)
    var at = rect.column
    for index in titles.indices {
      at += tab(index, fit).width(in: glyphs)
      if place.column < at { return index }
    }
    return nil
  }

  private func fit(_ columns: Int, in glyphs: GlyphSet) -> Fit {
    Fit.allCases.first { line($0).width(in: glyphs) <= columns } ?? .numbers
  }

  private func line(_ fit: Fit) -> StyledText {
    titles.indices.reduce(StyledText([])) { $0 + tab($1, fit) }
  }

  private func tab(_ index: Int, _ fit: Fit) -> StyledText {
    let number = "\(index + 1)"
    if index == selected { return StyledText(" \(number) \(titles[index]) ", .selection) }
    if fit == .numbers { return [TextSpan(" \(number) ", .key)] }
    let end = fit == .roomy ? " " : ""
    return [TextSpan(" \(number)", .key), TextSpan(" \(titles[index])\(end)", .dim)]
  }
}
