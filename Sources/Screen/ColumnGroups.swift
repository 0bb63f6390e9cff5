/// Groups of columns above labels, with one column for each series. Series differ by fill and colour.
public struct ColumnGroups: Hashable, Sendable {
  public struct Series: Hashable, Sendable {
    public var name: String
    /// A value for each group; `nil` if it is unknown, which draws no column.
    public var values: [Double?]
    /// Text above each column. If texts would touch, only the first of a group and higher ones are drawn.
    public var texts: [String]
    public var style: Style

    public init(_ name: String, _ values: [Double?], texts: [String], _ style: Style) {
      (self.name, self.values, self.texts, self.style) = (name, values, texts, style)
    }
  }

  public var labels: [String]
  /// At most two, the number of fills.
  public var series: [Series]
  /// Value of a column of full height.
  public var ceiling: Double

  public init(labels: [String], series: [Series], ceiling: Double = 1) {
    (self.labels, self.series, self.ceiling) = (labels, series, ceiling)
  }

  public func draw(on canvas: inout Canvas, in rect: Rect) {
    guard !labels.isEmpty, !series.isEmpty else { return }
    canvas.within(rect) { canvas in
      var plot = canvas.bounds
      let legend = plot.cutBottom(plot.rows > 3 ? 1 : 0)
      let axis = plot.cutBottom(plot.rows > 1 ? 1 : 0)
      let group = plot.columns / labels.count
      // A blank separates two groups.
      let width = max(1, (group - 1) / series.count)
      guard group > series.count else { return }
      let text = series.flatMap(\.texts).map { TextWidth.of($0, in: canvas.glyphs) }.max() ?? 0
      let hasTexts = plot.rows >= 3 && text <= width
      for (index, label) in labels.enumerated() {
        canvas.put(
          label, column: index * group, row: axis.row, .dim, width: axis.rows > 0 ? width * series.count : 0,
          align: .centre)
        var highest = -1
        for (place, one) in series.enumerated() {
          let room = Rect(
            column: index * group + place * width, row: 0, columns: width, rows: plot.rows)
          guard let height = height(of: one, index, place, rows: plot.rows, in: canvas.glyphs) else {
            continue
          }
          let rows = draw(one, height, place, on: &canvas, in: room)
          if hasTexts, text < width || rows > highest, one.texts.indices.contains(index) {
            canvas.put(
              one.texts[index], column: room.column, row: room.endRow - 1 - rows, one.style, width: width,
              align: .centre)
          }
          highest = max(highest, rows)
        }
      }
      if legend.rows > 0 { drawLegend(on: &canvas, row: legend.row) }
    }
  }

  /// Returns the height in steps of the fill; `nil` if there is no column.
  private func height(
    of one: Series, _ index: Int, _ place: Int, rows: Int, in glyphs: GlyphSet
  ) -> Int? {
    guard one.values.indices.contains(index), let value = one.values[index], value.isFinite, ceiling > 0
    else { return nil }
    // One row is left for the text above.
    let steps = (rows - (rows > 2 ? 1 : 0)) * Self.steps(place, in: glyphs).count
    return Int((min(1, max(0, value / ceiling)) * Double(steps)).rounded())
  }

  private func draw(
    _ one: Series, _ height: Int, _ place: Int, on canvas: inout Canvas, in room: Rect
  ) -> Int {
    let steps = Self.steps(place, in: canvas.glyphs)
    let full = (height + steps.count - 1) / steps.count
    for row in 0..<full {
      let level = min(steps.count, height - row * steps.count)
      canvas.fill(
        Rect(column: room.column, row: room.endRow - 1 - row, columns: room.columns, rows: 1), one.style,
        with: steps[level - 1])
    }
    return full
  }

  /// Fills of a series. The first is solid to an eighth of a cell, the second hatched.
  private static func steps(_ place: Int, in glyphs: GlyphSet) -> [String] {
    if place > 0 { return glyphs.isASCII ? [":"] : ["▒"] }
    return glyphs.isASCII ? ["#"] : glyphs.rising
  }

  private func drawLegend(on canvas: inout Canvas, row: Int) {
    let entries = series.enumerated().flatMap { place, one in
      [
        TextSpan(Self.steps(place, in: canvas.glyphs).last ?? "", one.style),
        TextSpan(" \(one.name)   ", .dim),
      ]
    }
    canvas.put(StyledText(entries), column: 0, row: row)
  }
}
