/// Chart of values over time with two axes: a line for balances, or columns for counts of events.
public struct SeriesChart: Hashable, Sendable {
  /// Form and scale of the chart.
  public enum Kind: Hashable, Sendable {
    /// Scaled from the least to the greatest value.
    case line
    /// Scaled from zero, because readers compare the heights of the columns.
    case columns
  }

  /// Values from oldest to newest; `nil` if unknown, which is drawn as a gap.
  public var values: [Double?]
  public var kind: Kind
  public var style: Style
  public var top: String
  public var bottom: String
  public var times: [String]

  public init(
    _ values: [Double?], _ kind: Kind, _ style: Style, top: String, bottom: String, times: [String]
  ) {
    (self.values, self.kind, self.style) = (values, kind, style)
    (self.top, self.bottom, self.times) = (top, bottom, times)
  }

  public var range: ClosedRange<Double>? { Self.range(of: values, kind) }

  public static func range(of values: [Double?], _ kind: Kind) -> ClosedRange<Double>? {
    let known = values.compactMap { $0 }.filter(\.isFinite)
    guard let least = known.min(), let most = known.max() else { return nil }
    return kind == .line ? least...most : 0...max(0, most)
  }

  public func draw(on canvas: inout Canvas, in rect: Rect) {
    guard let range else { return }
    let glyphs = canvas.glyphs
    let labels = max(TextWidth.of(top, in: glyphs), TextWidth.of(bottom, in: glyphs))
    canvas.within(rect) { canvas in
      var plot = canvas.bounds
      let axis = plot.cutBottom(plot.rows > 1 && !times.isEmpty ? 1 : 0)
      let scale = plot.cutLeft(labels > 0 && labels < plot.columns / 2 ? labels + 1 : 0)
      let isFlat = kind == .line && range.lowerBound == range.upperBound
      let marks = isFlat ? [(top, plot.rows / 2)] : [(top, 0), (bottom, plot.rows - 1)]
      for (text, row) in marks where row > 0 || text == top {
        canvas.put(
          StyledText(text, .dim), column: 0, row: plot.row + row, width: scale.columns - 1, align: .right)
      }
      drawTimes(on: &canvas, column: plot.column, columns: plot.columns, row: axis.row, rows: axis.rows)
      canvas.within(plot) { canvas in
        kind == .line ? drawLine(on: &canvas, range) : drawColumns(on: &canvas, range)
      }
    }
  }

  private func drawTimes(on canvas: inout Canvas, column: Int, columns: Int, row: Int, rows: Int) {
    guard rows > 0, columns > 0, let first = times.first, let last = times.last else { return }
    // There is at least one blank between two labels.
    let choices = [times, [first, last], [first]]
    let shown = choices.first { times in
      times.reduce(times.count - 1) { $0 + TextWidth.of($1, in: canvas.glyphs) } <= columns
    }
    for (index, time) in (shown ?? []).enumerated() {
      let room = columns - TextWidth.of(time, in: canvas.glyphs)
      let place = index == 0 ? 0 : room * index / ((shown?.count ?? 2) - 1)
      canvas.put(StyledText(time, .dim), column: column + place, row: row)
    }
  }

  // MARK: Columns

  private func drawColumns(on canvas: inout Canvas, _ range: ClosedRange<Double>) {
    let (columns, count) = (canvas.bounds.columns, values.count)
    guard count > 0, columns > 0 else { return }
    let cells = (0..<columns).map { column -> Double? in
      let first = column * count / columns
      let next = (column + 1) * count / columns
      // Leaves a blank after each bar if there are at least three columns per value.
      if columns >= 3 * count, next > first, column + 1 < columns { return nil }
      // A cell that covers several values shows the greatest.
      let part = values[first..<max(first + 1, next)].compactMap { $0 }.filter(\.isFinite)
      return part.max().flatMap { $0 > 0 ? $0 : nil }
    }
    Sparkline(cells, ceiling: max(range.upperBound, .leastNonzeroMagnitude), style).draw(
      on: &canvas, in: canvas.bounds)
  }

  // MARK: Line

  private func drawLine(on canvas: inout Canvas, _ range: ClosedRange<Double>) {
    let bounds = canvas.bounds
    guard bounds.columns > 0, bounds.rows > 0 else { return }
    let isASCII = canvas.glyphs.isASCII
    let (across, up) = isASCII ? (1, 3) : (2, 4)
    let points = heights(across: bounds.columns * across, up: bounds.rows * up, range)
    var dots = Set<Point>()
    for (column, height) in points.enumerated() {
      guard let height else { continue }
      // Fills the gap to the next point if the line is steep.
      let next = column + 1 < points.count ? points[column + 1] ?? height : height
      let reach = next > height ? height...max(height, next - 1) : min(height, next + 1)...height
      for step in isASCII ? height...height : reach { dots.insert(Point(column: column, row: step)) }
    }
    for row in 0..<bounds.rows {
      for column in 0..<bounds.columns {
        let glyph =
          isASCII ? asciiGlyph(dots, column, row, bounds.rows) : braille(dots, column, row, bounds.rows)
        if let glyph { canvas.put(glyph, column: column, row: row, style) }
      }
    }
  }

  private func heights(across: Int, up: Int, _ range: ClosedRange<Double>) -> [Int?] {
    let spread = range.upperBound - range.lowerBound
    return (0..<across).map { place in
      let position = across == 1 ? 0 : Double(place) / Double(across - 1) * Double(max(0, values.count - 1))
      let left = Int(position)
      let right = min(values.count - 1, left + 1)
      guard let from = values[left], from.isFinite, let to = values[right] ?? values[left], to.isFinite else {
        return nil
      }
      let value = from + (to - from) * (position - Double(left))
      let share = spread > 0 ? (value - range.lowerBound) / spread : 0.5
      return Int((share * Double(up - 1)).rounded())
    }
  }

  private func asciiGlyph(_ dots: Set<Point>, _ column: Int, _ row: Int, _ rows: Int) -> String? {
    let base = (rows - 1 - row) * 3
    let level = (0..<3).first { dots.contains(Point(column: column, row: base + $0)) }
    return level.map { [".", "-", "'"][$0] }
  }

  /// Returns the Braille pattern of a cell, two columns of four dots; `nil` if the cell has no dots.
  private func braille(_ dots: Set<Point>, _ column: Int, _ row: Int, _ rows: Int) -> String? {
    let base = (rows - 1 - row) * 4
    var bits: UInt32 = 0
    for across in 0..<2 {
      for up in 0..<4 where dots.contains(Point(column: column * 2 + across, row: base + up)) {
        bits |= Self.bits[across][up]
      }
    }
    return bits == 0 ? nil : Unicode.Scalar(0x2800 + bits).map(String.init)
  }

  private static let bits: [[UInt32]] = [[0x40, 0x04, 0x02, 0x01], [0x80, 0x20, 0x10, 0x08]]
}
