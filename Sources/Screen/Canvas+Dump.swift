extension Canvas {
  /// The rows as text, spaces at their ends left out; a wide character stands once.
  public func text() -> [String] {
    (0..<size.rows).map { row in
      var line = cells(inRow: row).map(\.text).joined()
      while line.hasSuffix(" ") { line.removeLast() }
      return line
    }
  }

  /// The rows as one letter for each cell: its role's, in upper case where the style has attributes
  /// (`:` for text); blanks of plain text at the ends left out.
  public func styleText() -> [String] {
    (0..<size.rows).map { row in
      var line = cells(inRow: row).map(Self.letter).joined()
      while line.hasSuffix(" ") { line.removeLast() }
      return line
    }
  }

  /// The rows in which two canvases of one size differ; every row where the sizes differ.
  public func changedRows(since earlier: Canvas?) -> [Int] {
    guard let earlier, earlier.size == size else { return Array(0..<size.rows) }
    return (0..<size.rows).filter { cells(inRow: $0) != earlier.cells(inRow: $0) }
  }

  /// The cells of one row of the whole grid.
  public func cells(inRow row: Int) -> ArraySlice<Cell> {
    guard row >= 0, row < size.rows else { return [] }
    return cells[row * size.columns..<(row + 1) * size.columns]
  }

  private static func letter(of cell: Cell) -> String {
    if cell == .blank() { return " " }
    let letter = cell.style.role.letter
    if cell.style.attributes.isEmpty { return String(letter) }
    switch letter {
    case ".": return ":"
    case "-": return "="
    default: return letter.uppercased()
    }
  }
}
