/// Paragraphs of styled text, wrapped at words.
public struct TextBlock: Sendable {
  /// An empty line is an empty row.
  public var paragraphs: [StyledText]
  /// Columns that the second and later rows of a paragraph stand in by.
  public var indent: Int

  public init(_ paragraphs: [StyledText], indent: Int = 0) {
    self.paragraphs = paragraphs
    self.indent = indent
  }

  /// Draws the rows from an offset on.
  ///
  /// - Returns: the number of all rows at this width, for scrolling.
  @discardableResult
  public func draw(on canvas: inout Canvas, in rect: Rect, offset: Int = 0) -> Int {
    let wrapped = rows(width: rect.columns, in: canvas.glyphs)
    canvas.within(rect) { canvas in
      for (row, line) in wrapped.dropFirst(max(0, offset)).prefix(canvas.bounds.rows).enumerated() {
        canvas.put(line, column: 0, row: row)
      }
    }
    return wrapped.count
  }

  /// The paragraphs as rows of at most so many columns; words longer than a row are cut in pieces.
  public func rows(width: Int, in glyphs: GlyphSet = .unicode) -> [StyledText] {
    guard width > 0 else { return [] }
    let hanging = width > indent * 2 ? indent : 0
    return paragraphs.flatMap { Wrapping(width: width, indent: hanging, glyphs: glyphs).rows(of: $0) }
  }
}
