import Screen

/// Figures as a list of labels and values, with changes and sparklines if the width allows it.
struct FigureList {
  private let figures: [Figure]
  private let labels: Int
  private let values: Int
  private let changes: Int
  private let hasCourse: Bool

  private static let gap = 2
  /// Preferred width of a sparkline; `leastCourse` is its minimum.
  private static let timeSeries = 28
  private static let leastCourse = 4
  /// Maximum number of columns beyond `naturalColumns`; values far from their labels are hard to read.
  private static let mostSpare = 8

  init(_ figures: [Figure], in glyphs: GlyphSet) {
    self.figures = figures
    labels = figures.map { TextWidth.of($0.label, in: glyphs) + Self.indent(of: $0) }.max() ?? 0
    values = figures.map { $0.value.width(in: glyphs) }.max() ?? 0
    changes = figures.compactMap { $0.timeSeries?.change.width(in: glyphs) }.max() ?? 0
    hasCourse = figures.contains { $0.timeSeries != nil }
  }

  var naturalColumns: Int {
    labels + Self.gap + values + (changes > 0 ? Self.gap + changes : 0)
      + (hasCourse ? Self.gap + Self.timeSeries : 0)
  }

  func draw(on canvas: inout Canvas, in rect: Rect) {
    canvas.within(rect) { canvas in
      let columns = min(canvas.bounds.columns, naturalColumns + Self.mostSpare)
      let changed = labels + 1 + values + (changes > 0 ? Self.gap + changes : 0)
      let changeRoom = changes > 0 && columns >= changed ? Self.gap + changes : 0
      let left = columns - changed - Self.gap
      let courseRoom = hasCourse && left >= Self.leastCourse ? min(Self.timeSeries, left) : 0
      let valueEnd = columns - changeRoom - (courseRoom > 0 ? Self.gap + courseRoom : 0)
      for (row, figure) in figures.enumerated() {
        draw(figure, row: row, valueEnd: valueEnd, on: &canvas)
        guard let timeSeries = figure.timeSeries else { continue }
        if changeRoom > 0 {
          canvas.put(
            timeSeries.change, column: valueEnd + Self.gap, row: row, width: changes, align: .right)
        }
        if courseRoom > 0 {
          let room = Rect(column: columns - courseRoom, row: row, columns: courseRoom, rows: 1)
          timeSeries.sparkline(columns: courseRoom, .accent).draw(on: &canvas, in: room)
        }
      }
    }
  }

  private func draw(_ figure: Figure, row: Int, valueEnd: Int, on canvas: inout Canvas) {
    let indent = Self.indent(of: figure)
    let value = figure.value.width(in: canvas.glyphs)
    let room = max(0, valueEnd - value - indent - 1)
    canvas.put(figure.label, column: indent, row: row, figure.isPart ? .dim : .text, width: room)
    canvas.put(figure.value, column: 0, row: row, width: max(0, valueEnd), align: .right)
  }

  private static func indent(of figure: Figure) -> Int { figure.isPart ? 2 : 0 }
}
