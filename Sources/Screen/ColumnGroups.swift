/// Columns in groups over labels, one of each series, which are told apart by what they are filled with, by colour as well.
public struct ColumnGroups: Hashable, Sendable {
  public struct Series: Hashable, Sendable {
    public var name: String
    /// One for each group; nil where nothing is known, which is no column and not one of no height.
    public var values: [Double?]
    /// What stands above each column; of the first series alone where one would run into another.
    public var texts: [String]
    public var style: Style

    public init(_ name: String, _ values: [Double?], texts: [String], _ style: Style) {
      (self.name, self.values, self.texts, self.style) = (name, values, texts, style)
    }
  }

  /// What stands below each group.
  public var labels: [String]
  /// At most as many as there are fillings: two.
  public var series: [Series]
  /// The value of a column of full height.
  public var ceiling: Double

  public init(labels: [String], series: [Series], ceiling: Double = 1) {
    (self.labels, self.series, self.ceiling) = (labels, series, ceiling)
  }

  /// The columns with their labels below, and a legend under those.
  public func draw(on canvas: inout Canvas, in rect: Rect) {
    guard !labels.isEmpty, !series.isEmpty else { return }
    canvas.within(rect) { canvas in
      var plot = canvas.bounds
      let legend = plot.cutBottom(plot.rows > 3 ? 1 : 0)
      let axis = plot.cutBottom(plot.rows > 1 ? 1 : 0)
      let group = plot.columns / labels.count
      // A blank keeps a group from the next.
      let width = max(1, (group - 1) / series.count)
      guard group > series.count else { return }
      let text = series.flatMap(\.texts).map { TextWidth.of($0, in: canvas.glyphs) }.max() ?? 0
      let written = plot.rows < 3 || text > width ? 0 : text < width ? series.count : 1
      for (index, label) in labels.enumerated() {
        canvas.put(
          label, column: index * group, row: axis.row, .dim, width: axis.rows > 0 ? width * series.count : 0,
          align: .centre)
        for (place, one) in series.enumerated() where one.values.indices.contains(index) {
          let room = Rect(
            column: index * group + place * width, row: 0, columns: width, rows: plot.rows)
          draw(one, index, place, on: &canvas, in: room, withText: place < written)
        }
      }
      if legend.rows > 0 { drawLegend(on: &canvas, row: legend.row) }
    }
  }

  private func draw(
    _ one: Series, _ index: Int, _ place: Int, on canvas: inout Canvas, in room: Rect, withText: Bool
  ) {
    guard let value = one.values[index], value.isFinite, ceiling > 0 else { return }
    // One is left for what stands above.
    let rows = room.rows - (room.rows > 2 ? 1 : 0)
    let steps = Self.steps(place, in: canvas.glyphs)
    let height = Int((min(1, max(0, value / ceiling)) * Double(rows * steps.count)).rounded())
    let full = (height + steps.count - 1) / steps.count
    for row in 0..<full {
      let level = min(steps.count, height - row * steps.count)
      canvas.fill(
        Rect(column: room.column, row: room.endRow - 1 - row, columns: room.columns, rows: 1), one.style,
        with: steps[level - 1])
    }
    if withText, one.texts.indices.contains(index) {
      canvas.put(
        one.texts[index], column: room.column, row: room.endRow - 1 - full, one.style, width: room.columns,
        align: .centre)
    }
  }

  /// The first is solid to an eighth of a cell, the second hatched.
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
