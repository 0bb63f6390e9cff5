import Screen

extension Canvas {
  /// Returns the rows with a letter for each cell's role, in upper case if the style has attributes (`:` for
  /// text, `=` for borders), without trailing spaces.
  public func styleText() -> [String] {
    (0..<size.rows).map { row in
      var line = cells(inRow: row).map(Self.letter).joined()
      while line.hasSuffix(" ") { line.removeLast() }
      return line
    }
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

extension Role {
  private static let letters = Array(".dhagwbis-kmt01234567")

  fileprivate var letter: Character { Self.letters[Int(rawValue)] }
}
