public struct Cell: Hashable, Sendable {
  /// A base character with its combining marks, at most five scalars; empty in the right half of a wide one.
  public let text: String
  /// Columns taken: 1, 2, or 0 for the right half of a wide character.
  public let width: Int
  public let style: Style

  public static func blank(_ style: Style = .text) -> Cell { Cell(text: " ", width: 1, style: style) }

  /// Whether the character is a block, as in bars. Reversed, it would show the gap in place of the bar.
  public var isBlockElement: Bool {
    text.unicodeScalars.first.map { (0x2580...0x259F).contains($0.value) } ?? false
  }

  static func rightHalf(_ style: Style) -> Cell { Cell(text: "", width: 0, style: style) }
}
