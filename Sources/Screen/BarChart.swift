public struct Bar: Hashable, Sendable {
  public var label: TextSpan
  /// Not negative. The longest bar of the chart has the largest value.
  public var value: Double
  public var text: String
  public var style: Style

  public init(label: TextSpan, value: Double, text: String, _ style: Style = .accent) {
    self.label = label
    self.value = value
    self.text = text
    self.style = style
  }
}

/// Horizontal bars, one below the other, with labels on the left and values on the right.
public struct BarChart: Sendable {
  public var bars: [Bar]
  /// Minimum columns for a bar and the blank before it.
  private static let least = 6

  public init(_ bars: [Bar]) { self.bars = bars }

  /// Draws one bar a row, as far as there is room.
  ///
  /// In a narrow room the bars disappear first, then the labels are cut. The values stay.
  public func draw(on canvas: inout Canvas, in rect: Rect) {
    let glyphs = canvas.glyphs
    let labels = bars.map { TextWidth.of($0.label.text, in: glyphs) }.max() ?? 0
    let values = bars.map { TextWidth.of($0.text, in: glyphs) }.max() ?? 0
    let top = bars.map(\.value).filter(\.isFinite).max() ?? 0
    canvas.within(rect) { canvas in
      var rest = canvas.bounds
      let valueRoom = rest.cutRight(values)
      _ = rest.cutRight(1)
      let labelRoom = rest.cutLeft(min(labels, max(rest.columns / 2, rest.columns - Self.least)))
      _ = rest.cutLeft(1)
      for (row, bar) in bars.prefix(canvas.bounds.rows).enumerated() {
        canvas.put([bar.label], column: labelRoom.column, row: row, width: labelRoom.columns)
        canvas.put(bar.text, column: valueRoom.column, row: row, width: valueRoom.columns, align: .right)
        let fraction = top > 0 && bar.value.isFinite ? bar.value / top : 0
        canvas.bar(fraction, column: rest.column, row: row, columns: rest.columns, bar.style)
      }
    }
  }
}

extension Canvas {
  /// - Parameter track: whether the unfilled part is drawn.
  mutating func bar(
    _ fraction: Double, column: Int, row: Int, columns: Int, _ style: Style, track: Bool = false
  ) {
    let rest = track ? String(repeating: glyphs.track, count: max(0, columns)) : ""
    put(rest, column: column, row: row, .track, width: columns)
    put(glyphs.bar(fraction, columns: columns), column: column, row: row, style, width: columns)
  }
}

extension GlyphSet {
  /// Returns a bar that fills a fraction of its columns, to an eighth of a cell if the glyphs allow it.
  public func bar(_ fraction: Double, columns: Int) -> String {
    guard columns > 0, fraction.isFinite, fraction > 0 else { return "" }
    let length = max(1, Int((min(1, fraction) * Double(columns * growing.count)).rounded()))
    let (full, rest) = length.quotientAndRemainder(dividingBy: growing.count)
    return String(repeating: growing[growing.count - 1], count: full) + (rest == 0 ? "" : growing[rest - 1])
  }
}
