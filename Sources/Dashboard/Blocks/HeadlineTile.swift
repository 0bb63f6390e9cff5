import Screen

struct HeadlineTile: Hashable, Sendable {
  var value: StyledText
  /// Short value that is drawn in large digits if there is space.
  var large: String
  /// Alternative notes from long to short. The first one that fits is shown.
  var notes: [StyledText] = []
  var course: Course?
  var opening: Opening?

  private static let largeColumns = 24
  private static let leastCourse = 6
  private static let gap = 2

  func rows(columns: Int, in glyphs: GlyphSet) -> Int {
    big(columns: columns, in: glyphs) == nil ? 2 : BigText.rows + 1
  }

  func textRow(columns: Int, in glyphs: GlyphSet) -> Int {
    big(columns: columns, in: glyphs) == nil ? 0 : BigText.rows
  }

  /// Large digits; `nil` if the full value and its change do not fit below. The sparkline yields its space,
  /// because blocks below show the course too.
  private func big(columns: Int, in glyphs: GlyphSet) -> BigText? {
    guard !glyphs.isASCII, columns >= Self.largeColumns,
      let text = BigText(large, value.spans.last?.style ?? .strong)
    else { return nil }
    let below = Self.joined([full, course?.change ?? []]).width(in: glyphs)
    return max(text.columns, below) <= columns ? text : nil
  }

  /// Full value, unless the large digits show all of it.
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

  /// Line below the value. The change takes precedence if not everything fits.
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
