struct Wrapping {
  let width: Int
  let indent: Int
  let glyphs: GlyphSet
  private var rows: [StyledText] = []
  private var row = StyledText([])
  private var used = 0

  init(width: Int, indent: Int, glyphs: GlyphSet) {
    self.width = width
    self.indent = indent
    self.glyphs = glyphs
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

  /// Returns the words and the single spaces between them. A word may change its style midway.
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
