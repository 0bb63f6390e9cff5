import Screen

extension Block.Body {
  func rows(columns: Int, in glyphs: GlyphSet) -> Int {
    switch self {
    case .figures(let figures): figures.count
    case .bars(let bars): bars.count
    case .listing(let listing): 1 + max(1, listing.rows.count) + (listing.shaded?.feet.count ?? 0)
    case .text(let paragraphs, let indent):
      TextBlock(paragraphs, indent: indent).rows(width: columns, in: glyphs).count
    case .timeline(let timeline): timeline.lines(columns: columns, in: glyphs).count
    case .chart: Self.chartRows
    case .head(let head): head.lines(columns: columns, in: glyphs).count
    case .waterfall(let chart, _): chart.steps.count
    case .tile: HeadlineTile.rows
    case .headline(let headline): headline.rows(columns: columns, in: glyphs)
    }
  }

  /// Returns the body's preferred width; `nil` if the body adapts to any width.
  func naturalColumns(in glyphs: GlyphSet) -> Int? {
    switch self {
    case .figures(let figures):
      max(40, FigureList(figures, in: glyphs).naturalColumns)
    case .bars: 72
    case .listing(let listing): listing.naturalColumns
    case .waterfall(let chart, _): chart.naturalColumns(in: glyphs)
    case .tile: 23
    case .text, .timeline, .head, .chart, .headline: nil
    }
  }

  func draw(
    on canvas: inout Canvas, in rect: Rect, selected: String? = nil, offset: Int = 0,
    across: AcrossCursor = AcrossCursor()
  ) {
    switch self {
    case .figures(let figures): FigureList(figures, in: canvas.glyphs).draw(on: &canvas, in: rect)
    case .bars(let bars): canvas.bars(bars.map(\.bar), in: rect)
    case .listing(let listing):
      if let map = listing.heatMap(selected: selected, offset: offset, across: across) {
        map.draw(on: &canvas, in: rect)
      } else {
        listing.table(selected: selected, offset: offset).draw(on: &canvas, in: rect)
      }
    case .text(let paragraphs, let indent): TextBlock(paragraphs, indent: indent).draw(on: &canvas, in: rect)
    case .timeline(let timeline):
      Self.draw(timeline.lines(columns: rect.columns, in: canvas.glyphs), on: &canvas, in: rect)
    case .head(let head):
      Self.draw(head.lines(columns: rect.columns, in: canvas.glyphs), on: &canvas, in: rect)
    case .chart(let chart): chart.draw(on: &canvas, in: rect)
    case .waterfall(let chart, _): chart.draw(on: &canvas, in: rect)
    case .tile(let tile): tile.draw(on: &canvas, in: rect)
    case .headline(let headline): headline.draw(on: &canvas, in: rect)
    }
  }

  /// Rows of a chart: six for its values and one for the time axis.
  private static let chartRows = 7

  private static func draw(_ lines: [StyledText], on canvas: inout Canvas, in rect: Rect) {
    canvas.within(rect) { canvas in
      for (row, line) in lines.enumerated() { canvas.put(line, column: 0, row: row) }
    }
  }
}

extension Block {
  static let frameColumns = 4
  static let frameRows = 2

  func rows(columns: Int, in glyphs: GlyphSet) -> Int {
    isBare
      ? body.rows(columns: columns, in: glyphs)
      : body.rows(columns: max(0, columns - Self.frameColumns), in: glyphs) + Self.frameRows
  }

  /// Draws the block in a frame, unless it is a headline.
  ///
  /// In the main list, a bullet marks the rows whose target is in `marked`. A `+` and bold text mark the rows
  /// whose id is in `changed`.
  func draw(
    on canvas: inout Canvas, in rect: Rect, isFocused: Bool, selected: String?, offset: Int,
    marked: Set<DrillDown> = [], changed: Set<String> = [], across: AcrossCursor = AcrossCursor()
  ) {
    guard !isBare else {
      body.draw(on: &canvas, in: rect)
      mark(selected, on: &canvas, in: rect, from: rect.row)
      return
    }
    let inner = Box(
      heading(in: rect.columns - Self.frameColumns, canvas.glyphs),
      note: note(
        in: rect.rows - Self.frameRows, rect.columns - Self.frameColumns, selected, offset, across,
        marked: marked.count, in: canvas.glyphs),
      isFocused: isFocused
    )
    .draw(on: &canvas, in: rect)
    let room = inner.inset(columns: 1, rows: 0)
    body.draw(on: &canvas, in: room, selected: selected, offset: offset, across: across)
    if !marked.isEmpty || !changed.isEmpty {
      drawSigns(marked, changed, on: &canvas, in: inner, selected, offset)
    }
    guard listing == nil else { return }
    mark(selected, on: &canvas, in: room, from: rect.row)
  }

  /// Returns the title with values that all rows share and, for the main list, the number of hidden columns.
  private func heading(in room: Int, _ glyphs: GlyphSet) -> StyledText {
    // `Page` has already added the shared values of the main list to its title.
    let alike = span == .main ? [] : listing?.alike ?? []
    let hidden = span == .main ? listing?.hiddenColumns(in: room) : nil
    let end = alike + StyledText(hidden.map { "; \($0)" } ?? "", .dim)
    let shared = span == .main ? listing?.alike.width(in: glyphs) ?? 0 : 0
    let shown = title.width(in: glyphs) - shared <= room ? title : brief ?? title
    return StyledText(shown.spans.map { TextSpan($0.text, $0.style == .text ? .heading : $0.style) }) + end
  }

  private func mark(_ selected: String?, on canvas: inout Canvas, in room: Rect, from edge: Int) {
    let items = items(columns: room.columns + (isBare ? 0 : Self.frameColumns), in: canvas.glyphs)
    guard let item = items.first(where: { $0.id == selected }) else { return }
    let columns = item.columns ?? 0..<room.columns
    let row = Rect(
      column: room.column + columns.lowerBound, row: edge + item.row, columns: columns.count, rows: 1)
    canvas.squareBars(row.intersection(room))
    canvas.restyle(row.intersection(room), except: \.isBlockElement) { _ in .selection }
  }

  private func drawSigns(
    _ marked: Set<DrillDown>, _ changed: Set<String>, on canvas: inout Canvas, in rect: Rect,
    _ selected: String?, _ offset: Int
  ) {
    guard let listing, span == .main else { return }
    let table = listing.table(selected: selected, offset: offset)
    let first = table.scrolledOffset(visible: rect.rows - 1)
    for (place, row) in listing.rows.dropFirst(first).prefix(max(0, rect.rows - 1)).enumerated() {
      let line = Rect(column: rect.column, row: rect.row + 1 + place, columns: rect.columns, rows: 1)
      if changed.contains(row.id) {
        canvas.restyle(line) { $0.adding(.bold) }
        canvas.put("+", column: line.column, row: line.row, Style(.accent, .bold))
      }
      if let drillDown = listing[row: row.id]?.drillDown, marked.contains(drillDown) {
        canvas.put(canvas.glyphs.bullet, column: line.column, row: line.row, Style(.key, .bold))
      }
    }
  }

  private func range(of selected: String?, in glyphs: GlyphSet) -> String {
    let item = items(columns: 0, in: glyphs).first { $0.id == selected }
    switch body {
    case .figures(let figures): return item.flatMap { figures[$0.row - 1].timeSeries?.range } ?? ""
    case .tile(let tile): return item.flatMap { _ in tile.timeSeries?.range } ?? ""
    default: return ""
    }
  }

  private func note(
    in rows: Int, _ columns: Int, _ selected: String?, _ offset: Int, _ across: AcrossCursor, marked: Int,
    in glyphs: GlyphSet
  ) -> StyledText {
    guard let listing else { return StyledText(range(of: selected, in: glyphs), .dim) }
    guard span == .main else { return StyledText(listing.hiddenColumns(in: columns) ?? "", .dim) }
    let visible = rows - 1 - listing.feetRows(in: rows)
    let isPart = listing.rows.count > visible || listing.total != nil || listing.hidden > 0
    let table = listing.table(selected: selected, offset: offset)
    let total = listing.hidden > 0 ? nil : listing.total
    let place =
      isPart ? table.footer(visible: visible, total: total, in: glyphs) + listing.leftOut : nil
    let filter = listing.filterText.isEmpty ? nil : StyledText("/\(listing.filterText)", .accent)
    let marks = marked == 0 ? nil : StyledText("\(CountText.of(marked)) marked", .key)
    let note = selected.map { listing.note(of: $0, across: across) } ?? ""
    let parts = [marks, filter, place.map { StyledText($0, .dim) }, note.isEmpty ? nil : StyledText(note)]
    return parts.compactMap(\.self).joined(by: "  ")
  }
}
