/// Paragraphs of styled text, wrapped at words.
public struct TextBlock: Sendable {
  public var paragraphs: [StyledText]
  /// Indent of the second and later rows of a paragraph, in columns.
  public var indent: Int

  public init(_ paragraphs: [StyledText], indent: Int = 0) {
    self.paragraphs = paragraphs
    self.indent = indent
  }

  public func draw(on canvas: inout Canvas, in rect: Rect) {
    canvas.within(rect) { canvas in
      let lines = rows(width: rect.columns, in: canvas.glyphs)
      for (row, line) in lines.prefix(canvas.bounds.rows).enumerated() {
        canvas.put(line, column: 0, row: row)
      }
    }
  }

  /// Returns the paragraphs as rows of a width. Words longer than a row are split.
  public func rows(width: Int, in glyphs: GlyphSet = .unicode) -> [StyledText] {
    guard width > 0 else { return [] }
    let hanging = width > indent * 2 ? indent : 0
    return paragraphs.flatMap { Wrapping(width: width, indent: hanging, glyphs: glyphs).rows(of: $0) }
  }
}
