import Screen

/// One number that is to be seen first, with how it moved.
struct HeadlineTile: Hashable, Sendable {
  /// In full.
  var value: StyledText
  /// What of it is drawn large where there is room.
  var large: String
  /// One thing in more or in fewer words: the first that has room.
  var notes: [StyledText] = []
  var course: Course?
  var opening: Opening?

  /// Columns from which on a number is drawn large.
  private static let largeColumns = 24
  /// Columns that a course needs to show something.
  private static let leastCourse = 6
  private static let gap = 2

  func rows(columns: Int, in glyphs: GlyphSet) -> Int {
    big(columns: columns, in: glyphs) == nil ? 2 : BigText.rows + 1
  }

  /// The row that stands out where it is chosen: one of text.
  func textRow(columns: Int, in glyphs: GlyphSet) -> Int {
    big(columns: columns, in: glyphs) == nil ? 0 : BigText.rows
  }

  /// Nil where the number in full and its change would have no room below; the course, which blocks below tell as well, gives way.
  private func big(columns: Int, in glyphs: GlyphSet) -> BigText? {
    guard !glyphs.isASCII, columns >= Self.largeColumns,
      let text = BigText(large, value.spans.last?.style ?? .strong)
    else { return nil }
    let below = Self.joined([full, course?.change ?? []]).width(in: glyphs)
    return max(text.columns, below) <= columns ? text : nil
  }

  /// The number where it is more than what is drawn large.
  private var full: StyledText { large == value.text.filter { $0 != " " } ? [] : value }

  func draw(on canvas: inout Canvas, in rect: Rect) {
    let glyphs = canvas.glyphs
    let big = big(columns: rect.columns, in: glyphs)
    let full = big == nil ? [] : full
    canvas.within(rect) { canvas in
      let columns = canvas.bounds.columns
      if let big {
        big.draw(on: &canvas, in: canvas.bounds)
      } else {
        canvas.put(value, column: 0, row: 0, width: columns)
      }
      let (used, rows) = (big?.columns ?? value.width(in: glyphs), big == nil ? 1 : BigText.rows)
      let spare = columns - used - Self.gap
      if let course, spare >= Self.leastCourse {
        course.sparkline(columns: spare, .accent).draw(
          on: &canvas, in: Rect(column: columns - spare, row: 0, columns: spare, rows: rows))
      }
      canvas.put(
        below(full, columns, glyphs), column: 0,
        row: textRow(columns: rect.columns, in: glyphs) + (big == nil ? 1 : 0), width: columns)
    }
  }

  /// The change first where there is no room for all.
  private func below(_ full: StyledText, _ columns: Int, _ glyphs: GlyphSet) -> StyledText {
    let change = course?.change ?? []
    let choices =
      notes.map { [full, change, $0] } + [[full, change]] + notes.map { [change, $0] } + [[change]]
      + notes.map { [$0] }
    return choices.map(Self.joined).first { !$0.text.isEmpty && $0.width(in: glyphs) <= columns } ?? []
  }

  private static func joined(_ parts: [StyledText]) -> StyledText {
    parts.filter { !$0.text.isEmpty }.joined(by: "  ")
  }
}
