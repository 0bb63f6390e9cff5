import Screen
import Subscriptions

extension Block.Body {
  /// Rows it takes at so many columns.
  func rows(columns: Int, in glyphs: GlyphSet) -> Int {
    switch self {
    case .figures(let figures): figures.count
    case .bars(let bars): bars.count
    case .listing(let listing): 1 + max(1, listing.rows.count)
    case .text(let paragraphs, let indent):
      TextBlock(paragraphs, indent: indent).rows(width: columns, in: glyphs).count
    case .timeline(let timeline): timeline.lines(columns: columns, in: glyphs).count
    }
  }

  /// Columns that show all of it, where that does not depend on the room.
  func naturalColumns(in glyphs: GlyphSet) -> Int? {
    switch self {
    case .figures(let figures):
      max(
        40,
        (figures.map { Self.label(of: $0, in: glyphs) }.max() ?? 0) + 2
          + (figures.map { $0.value.width(in: glyphs) }.max() ?? 0))
    case .bars: 72
    case .listing(let listing): listing.naturalColumns
    case .text, .timeline: nil
    }
  }

  /// - Parameters:
  ///   - selected: the row of a listing that stands out.
  ///   - offset: the first row of a listing that shows.
  func draw(on canvas: inout Canvas, in rect: Rect, selected: String? = nil, offset: Int = 0) {
    switch self {
    case .figures(let figures):
      canvas.within(rect) { canvas in
        for (row, figure) in figures.enumerated() { Self.draw(figure, row: row, on: &canvas) }
      }
    case .bars(let bars): BarChart(bars).draw(on: &canvas, in: rect)
    case .listing(let listing):
      listing.table(selected: selected, offset: offset, columns: rect.columns, in: canvas.glyphs)
        .draw(on: &canvas, in: rect)
    case .text(let paragraphs, let indent): TextBlock(paragraphs, indent: indent).draw(on: &canvas, in: rect)
    case .timeline(let timeline):
      let lines = timeline.lines(columns: rect.columns, in: canvas.glyphs)
      canvas.within(rect) { canvas in
        for (row, line) in lines.enumerated() { canvas.put(line, column: 0, row: row) }
      }
    }
  }

  private static func draw(_ figure: Figure, row: Int, on canvas: inout Canvas) {
    let value = figure.value.width(in: canvas.glyphs)
    canvas.put(
      figure.label, column: figure.isPart ? 2 : 0, row: row, figure.isPart ? .dim : .text,
      width: max(0, canvas.bounds.columns - value - (figure.isPart ? 3 : 1)))
    canvas.put(figure.value, column: 0, row: row, align: .right)
  }

  private static func label(of figure: Figure, in glyphs: GlyphSet) -> Int {
    TextWidth.of(figure.label, in: glyphs) + (figure.isPart ? 2 : 0)
  }
}

extension Block {
  /// Columns that frame and margin take.
  static let frameColumns = 4
  static let frameRows = 2

  func rows(columns: Int, in glyphs: GlyphSet) -> Int {
    body.rows(columns: max(0, columns - Self.frameColumns), in: glyphs) + Self.frameRows
  }

  func draw(on canvas: inout Canvas, in rect: Rect, isFocused: Bool, selected: String?, offset: Int) {
    let title = StyledText(title.spans.map { TextSpan($0.text, $0.style == .text ? .heading : $0.style) })
    let inner = Box(
      title, note: note(visible: rect.rows - 3, selected, offset, in: canvas.glyphs), isFocused: isFocused
    )
    .draw(on: &canvas, in: rect)
    body.draw(on: &canvas, in: inner.inset(columns: 1, rows: 0), selected: selected, offset: offset)
  }

  /// Which rows show, where they are not all.
  private func note(visible: Int, _ selected: String?, _ offset: Int, in glyphs: GlyphSet) -> StyledText {
    guard let listing, span == .main, listing.rows.count > visible || listing.total != nil else { return "" }
    let table = listing.table(selected: selected, offset: offset)
    return StyledText(table.footer(visible: visible, total: listing.total, in: glyphs), .dim)
  }
}
