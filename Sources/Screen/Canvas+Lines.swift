extension Canvas {
  public mutating func horizontalLine(column: Int, row: Int, columns: Int, _ style: Style = .border) {
    fill(Rect(column: column, row: row, columns: columns, rows: 1), style, with: glyphs.horizontal)
  }

  public mutating func verticalLine(column: Int, row: Int, rows: Int, _ style: Style = .border) {
    fill(Rect(column: column, row: row, columns: 1, rows: rows), style, with: glyphs.vertical)
  }

  /// Draws a frame just inside a part; nothing where it is less than 2×2.
  public mutating func frame(_ part: Rect, _ style: Style = .border) {
    guard part.columns >= 2, part.rows >= 2 else { return }
    let right = part.endColumn - 1
    let bottom = part.endRow - 1
    horizontalLine(column: part.column, row: part.row, columns: part.columns, style)
    horizontalLine(column: part.column, row: bottom, columns: part.columns, style)
    verticalLine(column: part.column, row: part.row, rows: part.rows, style)
    verticalLine(column: right, row: part.row, rows: part.rows, style)
    put(glyphs.topLeft, column: part.column, row: part.row, style)
    put(glyphs.topRight, column: right, row: part.row, style)
    put(glyphs.bottomLeft, column: part.column, row: bottom, style)
    put(glyphs.bottomRight, column: right, row: bottom, style)
  }
}
