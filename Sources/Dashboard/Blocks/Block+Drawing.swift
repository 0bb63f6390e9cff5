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
    case .chart: Self.chartRows
    case .head(let head): head.lines(columns: columns, in: glyphs).count
    case .histogram: DueHistogram.rows
    }
  }

  /// Columns that show all of it, where that does not depend on the room.
  func naturalColumns(in glyphs: GlyphSet) -> Int? {
    switch self {
    case .figures(let figures):
      max(40, FigureList(figures, in: glyphs).naturalColumns)
    case .bars: 72
    case .histogram(let histogram): histogram.naturalColumns
    case .listing(let listing): listing.naturalColumns
    case .text, .timeline, .head, .chart: nil
    }
  }

  /// - Parameters:
  ///   - selected: the row of a listing, the figure or the bar that stands out.
  ///   - offset: the first row of a listing that shows.
  func draw(on canvas: inout Canvas, in rect: Rect, selected: String? = nil, offset: Int = 0) {
    switch self {
    case .figures(let figures): FigureList(figures, in: canvas.glyphs).draw(on: &canvas, in: rect)
    case .bars(let bars): BarChart(bars.map(\.bar)).draw(on: &canvas, in: rect)
    case .listing(let listing):
      listing.table(selected: selected, offset: offset, columns: rect.columns, in: canvas.glyphs)
        .draw(on: &canvas, in: rect)
    case .text(let paragraphs, let indent): TextBlock(paragraphs, indent: indent).draw(on: &canvas, in: rect)
    case .timeline(let timeline):
      Self.draw(timeline.lines(columns: rect.columns, in: canvas.glyphs), on: &canvas, in: rect)
    case .head(let head):
      Self.draw(head.lines(columns: rect.columns, in: canvas.glyphs), on: &canvas, in: rect)
    case .histogram(let histogram): histogram.draw(on: &canvas, in: rect)
    case .chart(let chart): chart.draw(on: &canvas, in: rect)
    }
  }

  /// Columns or a line, and the times below them.
  private static let chartRows = 7

  private static func draw(_ lines: [StyledText], on canvas: inout Canvas, in rect: Rect) {
    canvas.within(rect) { canvas in
      for (row, line) in lines.enumerated() { canvas.put(line, column: 0, row: row) }
    }
  }
}

extension Cell {
  /// Bars keep their colours on a row that stands out.
  fileprivate var isBar: Bool {
    text.unicodeScalars.first.map { (0x2580...0x259F).contains($0.value) } ?? false
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
    let room = inner.inset(columns: 1, rows: 0)
    body.draw(on: &canvas, in: room, selected: selected, offset: offset)
    guard listing == nil, let item = items.first(where: { $0.id == selected }) else { return }
    let row = Rect(column: room.column, row: rect.row + item.row, columns: room.columns, rows: 1)
    canvas.squareBars(row.intersection(room))
    canvas.restyle(row.intersection(room), except: \.isBar) { _ in .selection }
  }

  /// Which rows show, where they are not all, and what is to be said of the selected one.
  private func note(visible: Int, _ selected: String?, _ offset: Int, in glyphs: GlyphSet) -> StyledText {
    guard let listing, span == .main else { return "" }
    let isPart = listing.rows.count > visible || listing.total != nil || listing.hidden > 0
    let table = listing.table(selected: selected, offset: offset)
    let total = listing.hidden > 0 ? nil : listing.total
    let place =
      isPart ? table.footer(visible: visible, total: total, in: glyphs) + listing.leftOut : nil
    let note = selected.flatMap { listing.notes[$0] }.flatMap { $0.isEmpty ? nil : $0 }
    let filter = listing.filterText.isEmpty ? nil : StyledText("/\(listing.filterText)", .accent)
    return [filter, place.map { StyledText($0, .dim) }, note.map { StyledText($0) }].compactMap { $0 }.joined(
      by: "  ")
  }
}
