/// Table of numbers in shaded cells that scrolls in both directions, with fixed titles and headings.
public struct HeatMap: Hashable, Sendable {
  public struct Cell: Hashable, Sendable {
    public var text: String
    /// Share that determines the shade, 0 to 1; `nil` for no shade.
    public var share: Double?
    /// Whether the number can still change, so that it is marked instead of shaded.
    public var isUnfinished: Bool

    public init(_ text: String, share: Double? = nil, isUnfinished: Bool = false) {
      (self.text, self.share, self.isUnfinished) = (text, share, isUnfinished)
    }
  }

  public struct Row: Hashable, Sendable {
    public var id: String
    /// Texts at the left of the row, one for each of the map's `headings`.
    public var heads: [StyledText]
    /// Cells from left to right, `nil` for a blank one; trailing blank cells may be omitted.
    public var cells: [Cell?]

    public init(id: String, heads: [StyledText], cells: [Cell?]) {
      (self.id, self.heads, self.cells) = (id, heads, cells)
    }
  }

  /// Position of a cell: id of its row and index of its column.
  public struct Place: Hashable, Sendable {
    public var row: String
    public var column: Int

    public init(row: String, column: Int) { (self.row, self.column) = (row, column) }
  }

  /// Column titles above the rows' `heads`; the first is aligned left, all others right.
  public var headings: [String]
  public var titles: [String]
  public var rows: [Row]
  /// Rows that stay visible at the bottom while `rows` scroll.
  public var feet: [Row]
  public var selected: Place?
  /// First visible row of the previous drawing; the map scrolls only to keep the selection visible.
  public var firstRow: Int
  public var firstColumn: Int

  public init(
    headings: [String], titles: [String], rows: [Row], feet: [Row] = [], selected: Place? = nil,
    firstRow: Int = 0, firstColumn: Int = 0
  ) {
    (self.headings, self.titles, self.rows, self.feet) = (headings, titles, rows, feet)
    (self.selected, self.firstRow, self.firstColumn) = (selected, firstRow, firstColumn)
  }

  public func draw(on canvas: inout Canvas, in rect: Rect) {
    let layout = layout(in: rect.size, glyphs: canvas.glyphs)
    canvas.within(rect) { canvas in
      drawTitles(on: &canvas, layout)
      for (line, row) in rows[layout.rows].enumerated() {
        draw(row, line: line + 1, on: &canvas, layout)
      }
      for (line, foot) in feet.prefix(layout.feet).enumerated() {
        draw(foot, line: 1 + layout.rows.count + line, on: &canvas, layout)
      }
    }
  }

  private func drawTitles(on canvas: inout Canvas, _ layout: HeatMapLayout) {
    let glyphs = canvas.glyphs
    for (index, place) in layout.heads.enumerated() {
      canvas.put(
        headings[index], column: place.column, row: 0, .heading, width: place.width,
        align: index == 0 ? .left : .right)
    }
    for (line, column) in layout.columns.enumerated() {
      let style: Style = column == selected?.column ? .accent.adding(.bold) : .heading
      canvas.put(
        titles[column], column: layout.column(line), row: 0, style, width: layout.cell - 1, align: .right)
    }
    if layout.columns.lowerBound > 0 { canvas.put(glyphs.left, column: layout.start, row: 0, .key) }
    if layout.columns.upperBound < titles.count {
      canvas.put(glyphs.right, column: layout.column(layout.columns.count) - 1, row: 0, .key)
    }
  }

  private func draw(_ row: Row, line: Int, on canvas: inout Canvas, _ layout: HeatMapLayout) {
    let isHere = row.id == selected?.row
    for (index, place) in layout.heads.enumerated() where index < row.heads.count {
      let head =
        isHere
        ? StyledText(row.heads[index].spans.map { TextSpan($0.text, .accent.adding(.bold)) })
        : row.heads[index]
      canvas.put(
        head, column: place.column, row: line, width: place.width, align: index == 0 ? .left : .right)
    }
    for (place, column) in layout.columns.enumerated() {
      let room = Rect(column: layout.column(place), row: line, columns: layout.cell, rows: 1)
      if isHere, column == selected?.column {
        draw(cell(row, column) ?? Cell(""), on: &canvas, in: room, isChosen: true, layout)
      } else if let cell = cell(row, column) {
        draw(cell, on: &canvas, in: room, isChosen: false, layout)
      }
    }
  }

  private func draw(
    _ cell: Cell, on canvas: inout Canvas, in room: Rect, isChosen: Bool, _ layout: HeatMapLayout
  ) {
    let glyphs = canvas.glyphs
    let shade = cell.isUnfinished ? nil : cell.share
    let style: Style = isChosen ? .selection : shade.map(Style.heat) ?? .dim
    canvas.fill(room, shade == nil && !isChosen ? .text : style)
    let number = room.columns - 1 - layout.shade
    if let shade, layout.shade > 0, !isChosen {
      let mark = String(repeating: glyphs.shades[Style.heatStep(shade)], count: layout.shade)
      canvas.put(mark, column: room.column, row: room.row, style)
    }
    canvas.put(
      cell.text, column: room.column + layout.shade, row: room.row, style, width: number, align: .right)
    if cell.isUnfinished { canvas.put(glyphs.unfinished, column: room.endColumn - 1, row: room.row, style) }
    guard isChosen else { return }
    // Brackets mark the selection, because with few colours, shades may also be in reverse video.
    canvas.put("[", column: room.column, row: room.row, style)
    canvas.put("]", column: room.endColumn - 1, row: room.row, style)
  }

  private func cell(_ row: Row, _ column: Int) -> Cell? {
    row.cells.indices.contains(column) ? row.cells[column] : nil
  }

  private static let easyColumns = 6

  func layout(in room: Size, glyphs: GlyphSet) -> HeatMapLayout {
    let heads = heads(in: room.columns, glyphs)
    let start = heads.last.map { $0.column + $0.width + 1 } ?? 0
    let number = numberColumns(glyphs)
    let spare = max(0, room.columns - start)
    // One column before the number, and one for the mark after it.
    var (cell, shade) = (number + 2, 0)
    // Two columns of shade, at least three for the number, and one for the mark.
    let shaded = max(3, number) + 3
    if glyphs.drawsShades, spare / shaded >= Self.easyColumns { (cell, shade) = (shaded, 2) }
    let feet = feetRows(in: room.rows)
    let column = selected.flatMap { titles.indices.contains($0.column) ? $0.column : nil }
    let row = selected.flatMap { place in rows.firstIndex { $0.id == place.row } }
    return HeatMapLayout(
      heads: heads, start: start, cell: cell, shade: shade,
      columns: Self.shown(spare / cell, of: titles.count, from: firstColumn, with: column),
      rows: Self.shown(max(0, room.rows - 1 - feet), of: rows.count, from: firstRow, with: row), feet: feet)
  }

  /// Returns a range of up to `visible` items that includes `chosen` and starts as near to `first` as it can.
  static func shown(_ visible: Int, of count: Int, from first: Int, with chosen: Int?) -> Range<Int> {
    let kept = min(max(0, first), max(0, count - visible))
    guard visible > 0 else { return kept..<kept }
    let start = chosen.map { min(max(kept, $0 - visible + 1), $0) } ?? kept
    return start..<min(count, start + visible)
  }

  /// Returns the placed headings: the first, and as many of the others as fit into half of `columns`.
  private func heads(in columns: Int, _ glyphs: GlyphSet) -> [PlacedColumn] {
    var placed: [PlacedColumn] = []
    var next = 0
    for index in headings.indices {
      let width = headColumns(index, glyphs)
      guard index == 0 || next + width <= columns / 2 else { break }
      placed.append(PlacedColumn(index: index, column: next, width: min(width, columns)))
      next += width + 2
    }
    return placed
  }

  private func headColumns(_ index: Int, _ glyphs: GlyphSet) -> Int {
    (rows + feet).reduce(TextWidth.of(headings[index], in: glyphs)) { widest, row in
      max(widest, row.heads.indices.contains(index) ? row.heads[index].width(in: glyphs) : 0)
    }
  }

  private func numberColumns(_ glyphs: GlyphSet) -> Int {
    let titles = titles.map { TextWidth.of($0, in: glyphs) }.max() ?? 1
    return (rows + feet).reduce(titles) { widest, row in
      row.cells.reduce(widest) { max($0, $1.map { TextWidth.of($0.text, in: glyphs) } ?? 0) }
    }
  }

  public func feetRows(in rows: Int) -> Int {
    let spare = rows - 1 - min(3, self.rows.count)
    return max(0, min(feet.count, spare))
  }

  public func scrolledColumn(in room: Size, glyphs: GlyphSet) -> Int {
    layout(in: room, glyphs: glyphs).columns.lowerBound
  }

  public func visibleColumns(in room: Size, glyphs: GlyphSet) -> Int {
    layout(in: room, glyphs: glyphs).columns.count
  }

  /// Returns a map of the given columns, without rows that have no cell in these columns.
  public func part(_ columns: Range<Int>) -> HeatMap {
    func cut(_ row: Row) -> Row {
      Row(
        id: row.id, heads: row.heads,
        cells: Array(row.cells.prefix(columns.upperBound).dropFirst(columns.lowerBound)))
    }
    return HeatMap(
      headings: headings, titles: Array(titles[columns]),
      rows: rows.map(cut).filter { $0.cells.contains { $0 != nil } }, feet: feet.map(cut))
  }

  /// Returns the position of the cell at a point, for a map drawn in `rect`; `nil` if no cell is there.
  public func place(at point: Point, in rect: Rect, glyphs: GlyphSet) -> Place? {
    guard rect.contains(point) else { return nil }
    let layout = layout(in: rect.size, glyphs: glyphs)
    let (column, row) = (point.column - rect.column - layout.start, point.row - rect.row - 1)
    guard column >= 0, row >= 0, column / layout.cell < layout.columns.count, row < layout.rows.count else {
      return nil
    }
    let found = rows[layout.rows.lowerBound + row]
    let index = layout.columns.lowerBound + column / layout.cell
    guard found.cells.indices.contains(index), found.cells[index] != nil else { return nil }
    return Place(row: found.id, column: index)
  }
}

struct HeatMapLayout {
  var heads: [PlacedColumn]
  var start: Int
  /// Width of a cell in columns, including its shade.
  var cell: Int
  var shade: Int
  var columns: Range<Int>
  var rows: Range<Int>
  var feet: Int

  func column(_ place: Int) -> Int { start + place * cell }
}
