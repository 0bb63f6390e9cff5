/// Grid of cells that views draw into and the terminal shows.
///
/// Drawing outside the grid is clipped. Characters that could control a terminal become placeholders.
public struct Canvas: Sendable {
  public let size: Size
  public let glyphs: GlyphSet
  /// Position of the terminal's cursor; `nil` if it is hidden.
  public private(set) var cursor: Point?
  private(set) var cells: [Cell]
  /// Part of the grid that drawing is limited to, in coordinates of the whole grid.
  private var window: Rect

  public init(size: Size, glyphs: GlyphSet = .unicode) {
    (self.size, self.glyphs) = (size, glyphs)
    cells = Array(repeating: .blank(), count: size.columns * size.rows)
    window = Rect(size)
  }

  /// Area to draw in, whose top left is 0, 0: the whole grid or, inside `within`, a part of it.
  public var bounds: Rect { Rect(window.size) }

  /// Cell at a position in the whole grid; blank outside the grid.
  public subscript(column column: Int, row row: Int) -> Cell {
    guard Rect(size).contains(Point(column: column, row: row)) else { return .blank() }
    return cells[row * size.columns + column]
  }

  /// Calls `draw` with the canvas limited to a part of its area, whose top left becomes 0, 0.
  public mutating func within(_ part: Rect, _ draw: (inout Canvas) -> Void) {
    let outer = window
    window = absolute(part).intersection(outer)
    draw(&self)
    window = outer
  }

  /// Draws a text, shortened with an ellipsis to `width` columns if necessary, and returns the columns used.
  @discardableResult
  public mutating func put(
    _ text: String, column: Int, row: Int, _ style: Style = .text, width: Int? = nil,
    align alignment: Alignment = .left
  ) -> Int {
    put(StyledText(text, style), column: column, row: row, width: width, align: alignment)
  }

  /// Draws spans one after the other, shortened with an ellipsis if necessary, and returns the columns used.
  @discardableResult
  public mutating func put(
    _ line: StyledText, column: Int, row: Int, width: Int? = nil, align alignment: Alignment = .left,
    cut: TextCut = .end
  ) -> Int {
    let room = min(width ?? bounds.columns - column, bounds.columns - column)
    guard room > 0 else { return 0 }
    let drawn = DrawnText(line, in: glyphs).fitted(to: room, cut: cut, in: glyphs)
    var at = column
    switch alignment {
    case .left: break
    case .right: at += room - drawn.width
    case .centre: at += (room - drawn.width) / 2
    }
    for cell in drawn.cells {
      set(cell, column: at, row: row)
      at += cell.width
    }
    return drawn.width
  }

  /// Fills a part with a character that is one column wide, by default a space.
  public mutating func fill(_ part: Rect, _ style: Style = .text, with character: String = " ") {
    let target = part.intersection(bounds)
    let cell =
      DrawnText(StyledText(character, style), in: glyphs).cells.first { $0.width == 1 } ?? .blank(style)
    for row in target.row..<max(target.row, target.endRow) {
      for column in target.column..<max(target.column, target.endColumn) {
        set(cell, column: column, row: row)
      }
    }
  }

  public mutating func restyle(
    _ part: Rect, except isKept: (Cell) -> Bool = { _ in false }, _ change: (Style) -> Style
  ) {
    modifyCells(part) { cell in
      if !isKept(cell) { cell = Cell(text: cell.text, width: cell.width, style: change(cell.style)) }
    }
  }

  /// Rounds the bars in a part to whole cells, because partial cells look wrong in reverse video.
  public mutating func squareBars(_ part: Rect) {
    let (full, parts) = (glyphs.growing.last ?? " ", glyphs.growing.dropLast())
    modifyCells(part) { cell in
      guard let eighths = parts.firstIndex(of: cell.text) else { return }
      let isLong = eighths + 1 > parts.count / 2
      cell = Cell(text: isLong ? full : " ", width: 1, style: isLong ? cell.style : .text)
    }
  }

  private mutating func modifyCells(_ part: Rect, _ body: (inout Cell) -> Void) {
    let target = absolute(part).intersection(window)
    guard !target.isEmpty else { return }
    for row in target.row..<target.endRow {
      for column in target.column..<target.endColumn { body(&cells[row * size.columns + column]) }
    }
  }

  public mutating func showCursor(at place: Point) {
    guard bounds.contains(place) else { return }
    cursor = Point(column: window.column + place.column, row: window.row + place.row)
  }

  private func absolute(_ part: Rect) -> Rect {
    Rect(
      column: window.column + part.column, row: window.row + part.row,
      columns: part.columns, rows: part.rows)
  }

  /// Writes one cell, and blanks the remaining half of a wide character that it overwrites.
  private mutating func set(_ cell: Cell, column: Int, row: Int) {
    guard row >= 0, row < window.rows, column >= 0, column + cell.width <= window.columns else { return }
    let index = (window.row + row) * size.columns + window.column + column
    clearHalves(at: index, count: cell.width)
    cells[index] = cell
    if cell.width == 2 { cells[index + 1] = .rightHalf(cell.style) }
  }

  private mutating func clearHalves(at index: Int, count: Int) {
    if cells[index].width == 0, index > 0 { cells[index - 1] = .blank(cells[index - 1].style) }
    let last = index + count - 1
    if cells[last].width == 2, last + 1 < cells.count { cells[last + 1] = .blank(cells[last + 1].style) }
  }
}

extension Canvas: Equatable {
  public static func == (left: Canvas, right: Canvas) -> Bool {
    left.size == right.size && left.cursor == right.cursor && left.cells == right.cells
  }
}

extension StyledText {
  public func width(in glyphs: GlyphSet = .unicode) -> Int {
    DrawnText(self, in: glyphs).width
  }
}

extension Canvas {
  public mutating func frame(_ part: Rect, _ style: Style = .border) {
    guard part.columns >= 2, part.rows >= 2 else { return }
    let (right, bottom) = (part.endColumn - 1, part.endRow - 1)
    for row in [part.row, bottom] {
      fill(
        Rect(column: part.column, row: row, columns: part.columns, rows: 1), style, with: glyphs.horizontal)
    }
    for column in [part.column, right] {
      fill(Rect(column: column, row: part.row, columns: 1, rows: part.rows), style, with: glyphs.vertical)
    }
    put(glyphs.topLeft, column: part.column, row: part.row, style)
    put(glyphs.topRight, column: right, row: part.row, style)
    put(glyphs.bottomLeft, column: part.column, row: bottom, style)
    put(glyphs.bottomRight, column: right, row: bottom, style)
  }

  public func text() -> [String] {
    (0..<size.rows).map { row in
      var line = cells(inRow: row).map(\.text).joined()
      while line.hasSuffix(" ") { line.removeLast() }
      return line
    }
  }

  /// Returns the rows that differ from an earlier canvas; all rows if it is `nil` or has another size.
  public func changedRows(since earlier: Canvas?) -> [Int] {
    guard let earlier, earlier.size == size else { return Array(0..<size.rows) }
    return (0..<size.rows).filter { cells(inRow: $0) != earlier.cells(inRow: $0) }
  }

  public func cells(inRow row: Int) -> ArraySlice<Cell> {
    guard row >= 0, row < size.rows else { return [] }
    return cells[row * size.columns..<(row + 1) * size.columns]
  }
}

/// Character cell of a canvas.
public struct Cell: Hashable, Sendable {
  /// Base character and its marks, at most five scalars; empty in the right half of a wide character.
  public let text: String
  /// Width in columns: 1, 2, or 0 for the right half of a wide character.
  public let width: Int
  public let style: Style

  public static func blank(_ style: Style = .text) -> Cell { Cell(text: " ", width: 1, style: style) }

  /// Whether the character is a block element, such as a part of a bar; reverse video would invert the bar.
  public var isBlockElement: Bool {
    text.unicodeScalars.first.map { (0x2580...0x259F).contains($0.value) } ?? false
  }

  static func rightHalf(_ style: Style) -> Cell { Cell(text: "", width: 0, style: style) }
}
