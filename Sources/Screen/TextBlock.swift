/// Paragraphs of styled text, wrapped at words.
public struct TextBlock: Sendable {
  public var paragraphs: [StyledText]
  /// Indent of the second and later rows of a paragraph, in columns.
  public var indent: Int

  public init(_ paragraphs: [StyledText], indent: Int = 0) {
    (self.paragraphs, self.indent) = (paragraphs, indent)
  }

  public func draw(on canvas: inout Canvas, in rect: Rect) {
    canvas.within(rect) { canvas in
      let lines = rows(width: rect.columns, in: canvas.glyphs)
      for (row, line) in lines.prefix(canvas.bounds.rows).enumerated() {
        canvas.put(line, column: 0, row: row)
      }
    }
  }

  /// Returns the paragraphs wrapped to a width; words longer than a row are split.
  public func rows(width: Int, in glyphs: GlyphSet = .unicode) -> [StyledText] {
    guard width > 0 else { return [] }
    let hanging = width > indent * 2 ? indent : 0
    return paragraphs.flatMap { Wrapping(width: width, indent: hanging, glyphs: glyphs).rows(of: $0) }
  }
}

struct Wrapping {
  let width: Int
  let indent: Int
  let glyphs: GlyphSet
  private var rows: [StyledText] = []
  private var row = StyledText([])
  private var used = 0

  init(width: Int, indent: Int, glyphs: GlyphSet) {
    (self.width, self.indent, self.glyphs) = (width, indent, glyphs)
  }

  func rows(of paragraph: StyledText) -> [StyledText] {
    var work = self
    for word in Self.words(of: paragraph) { work.append(word) }
    return work.rows + [work.row]
  }

  private mutating func append(_ word: StyledText) {
    let columns = word.width(in: glyphs)
    let isSpace = word.text == " "
    if used + columns > width {
      if isSpace {
        breakRow()
        return
      }
      if used > (rows.isEmpty ? 0 : indent) { breakRow() }
    }
    if isSpace, !rows.isEmpty, used <= indent { return }
    if columns > width - used {
      appendPieces(of: word)
    } else {
      row.spans += word.spans
      used += columns
    }
  }

  private mutating func appendPieces(of word: StyledText) {
    for span in word.spans {
      for character in span.text {
        let piece = TextSpan(String(character), span.style)
        let columns = TextWidth.of(piece.text, in: glyphs)
        if used + columns > width { breakRow() }
        row.spans.append(piece)
        used += columns
      }
    }
  }

  private mutating func breakRow() {
    while row.spans.last?.text == " " { row.spans.removeLast() }
    rows.append(row)
    row = indent > 0 ? StyledText(String(repeating: " ", count: indent)) : StyledText([])
    used = indent
  }

  private static func words(of paragraph: StyledText) -> [StyledText] {
    var words: [StyledText] = []
    var word = StyledText([])
    for span in paragraph.spans {
      let parts = span.text.split(separator: " ", omittingEmptySubsequences: false)
      for (index, part) in parts.enumerated() {
        if index > 0 {
          if !word.spans.isEmpty { words.append(word) }
          words.append(StyledText(" ", span.style))
          word = StyledText([])
        }
        if !part.isEmpty { word.spans.append(TextSpan(String(part), span.style)) }
      }
    }
    if !word.spans.isEmpty { words.append(word) }
    return words
  }
}
