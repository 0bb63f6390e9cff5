/// Columns that a text takes on a terminal.
public enum TextWidth {
  /// Columns of a text as the canvas draws it, placeholders included.
  public static func of(_ text: String, in glyphs: GlyphSet = .unicode) -> Int {
    DrawnText(StyledText(text), in: glyphs).width
  }
}
