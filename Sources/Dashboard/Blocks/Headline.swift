import Screen

/// Unframed sentences at the top of a panel, with parts that can be opened.
struct Headline: Hashable, Sendable {
  struct Part: Hashable, Sendable {
    /// Stable across refreshes.
    var id: String
    var text: StyledText
    var drillDown: DrillDown?
    var isOptional = false
  }

  /// Parts of each line. A part that does not fit moves to a new row.
  var lines: [[Part]]

  struct Place {
    let part: Part
    let row: Int
    let columns: Range<Int>
    let isFirst: Bool
  }

  private static let gap = 3

  /// Returns the position of each part, with a blank column at both edges.
  func places(columns: Int, in glyphs: GlyphSet) -> [Place] {
    let end = max(1, columns - 1)
    var places: [Place] = []
    var row = 0
    for line in lines.map({ fitting($0, columns: end - 1, in: glyphs) }) where !line.isEmpty {
      var column = 1
      for part in line {
        let width = part.text.width(in: glyphs)
        if column > 1 {
          let next = column + Self.gap
          if next + width <= end { column = next } else { (row, column) = (row + 1, 1) }
        }
        let length = min(width, end - column)
        let range = column..<column + max(0, length)
        places.append(Place(part: part, row: row, columns: range, isFirst: column == 1))
        column = range.upperBound
      }
      row += 1
    }
    return places
  }

  private func fitting(_ line: [Part], columns: Int, in glyphs: GlyphSet) -> [Part] {
    let needed = line.reduce(-Self.gap) { $0 + Self.gap + $1.text.width(in: glyphs) }
    return needed <= columns ? line : line.filter { !$0.isOptional }
  }

  func rows(columns: Int, in glyphs: GlyphSet) -> Int {
    (places(columns: columns, in: glyphs).last?.row).map { $0 + 1 } ?? 0
  }

  func draw(on canvas: inout Canvas, in rect: Rect) {
    canvas.within(rect) { canvas in
      for place in places(columns: rect.columns, in: canvas.glyphs) {
        let column = place.columns.lowerBound
        canvas.put(place.part.text, column: column, row: place.row, width: place.columns.count)
        guard !place.isFirst else { continue }
        canvas.put(canvas.glyphs.separator, column: column - 2, row: place.row, .dim, width: 1)
      }
    }
  }
}

struct HeadlineTile: Hashable, Sendable {
  var value: StyledText
  /// Short value that is drawn in large digits if there is space.
  var large: String
  /// Alternative notes from long to short. The first one that fits is shown.
  var notes: [StyledText] = []
  var timeSeries: TimeSeries?
  var drillDown: DrillDown?

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
    let below = Self.joined([full, timeSeries?.change ?? []]).width(in: glyphs)
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
      if let timeSeries, spare >= Self.leastCourse {
        timeSeries.sparkline(columns: spare, .accent).draw(
          on: &canvas, in: Rect(column: columns - spare, row: 0, columns: spare, rows: rows))
      }
      canvas.put(
        below(full, columns, glyphs), column: 0,
        row: textRow(columns: rect.columns, in: glyphs) + (big == nil ? 1 : 0), width: columns)
    }
  }

  /// Line below the value. The change takes precedence if not everything fits.
  private func below(_ full: StyledText, _ columns: Int, _ glyphs: GlyphSet) -> StyledText {
    let change = timeSeries?.change ?? []
    let choices =
      notes.map { [full, change, $0] } + [[full, change]] + notes.map { [change, $0] } + [[change]]
      + notes.map { [$0] }
    return choices.map(Self.joined).first { !$0.text.isEmpty && $0.width(in: glyphs) <= columns } ?? []
  }

  private static func joined(_ parts: [StyledText]) -> StyledText {
    parts.filter { !$0.text.isEmpty }.joined(by: "  ")
  }
}
