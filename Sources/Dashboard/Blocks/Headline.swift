import Screen

/// Sentences without a frame at the top of a panel, with parts that Enter can open.
struct Headline: Hashable, Sendable {
  struct Part: Hashable, Sendable {
    var id: String
    var text: StyledText
    var drillDown: DrillDown?
  }

  /// Parts of each line; a part that does not fit moves to a new row.
  var lines: [[Part]]

  struct Place {
    let part: Part
    let row: Int
    let columns: Range<Int>
    let isFirst: Bool
  }

  private static let gap = 3

  /// Returns the positions of the parts, with a blank column at both edges.
  func places(columns: Int, in glyphs: GlyphSet) -> [Place] {
    let end = max(1, columns - 1)
    var places: [Place] = []
    var row = 0
    for line in lines where !line.isEmpty {
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

/// Value with its sparkline beside it and its change below.
struct HeadlineTile: Hashable, Sendable {
  var value: StyledText
  /// Text beside the change, omitted if it does not fit.
  var note: StyledText
  var timeSeries: TimeSeries?
  var drillDown: DrillDown?

  static let rows = 2
  private static let leastCourse = 6
  private static let gap = 2

  func draw(on canvas: inout Canvas, in rect: Rect) {
    let glyphs = canvas.glyphs
    canvas.within(rect) { canvas in
      let columns = canvas.bounds.columns
      canvas.put(value, column: 0, row: 0, width: columns)
      let spare = columns - value.width(in: glyphs) - Self.gap
      if let timeSeries, spare >= Self.leastCourse {
        timeSeries.sparkline(columns: spare, .accent).draw(
          on: &canvas, in: Rect(column: columns - spare, row: 0, columns: spare, rows: 1))
      }
      let below = [timeSeries?.change ?? [], note].filter { !$0.text.isEmpty }
      canvas.put(below.fitting(columns, by: "  ", in: glyphs), column: 0, row: 1, width: columns)
    }
  }
}
