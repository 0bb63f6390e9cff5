public enum TextWidth {
  /// Returns the columns of a text as the canvas draws it, including placeholders.
  public static func of(_ text: String, in glyphs: GlyphSet = .unicode) -> Int {
    DrawnText(StyledText(text), in: glyphs).width
  }
}
