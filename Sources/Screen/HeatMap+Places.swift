extension HeatMap {
  /// Columns of cells from which on there is room for their shades.
  private static let easyColumns = 6

  func layout(in room: Size, glyphs: GlyphSet) -> HeatMapLayout {
    let heads = heads(in: room.columns, glyphs)
    let start = heads.last.map { $0.column + $0.width + 1 } ?? 0
    let number = numberColumns(glyphs)
    let spare = max(0, room.columns - start)
    // One before the number and one for the mark behind it.
    var (cell, shade) = (number + 2, 0)
    // A blank parts most numbers from their shade.
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

  /// So many of a count that the chosen one is among them.
  private static func shown(_ visible: Int, of count: Int, from first: Int, with chosen: Int?) -> Range<Int> {
    let kept = min(max(0, first), max(0, count - visible))
    guard visible > 0 else { return kept..<kept }
    let start = chosen.map { min(max(kept, $0 - visible + 1), $0) } ?? kept
    return start..<min(count, start + visible)
  }

  /// The headings that leave the cells more than half of the room, the first in any case.
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

  /// Rows below the others that show in a room of so many: none where they would take it from the rows.
  public func feetRows(in rows: Int) -> Int {
    let spare = rows - 1 - min(3, self.rows.count)
    return max(0, min(feet.count, spare))
  }

  /// The first column that shows where the selected one does.
  public func scrolledColumn(in room: Size, glyphs: GlyphSet) -> Int {
    layout(in: room, glyphs: glyphs).columns.lowerBound
  }

  /// How many columns of cells show in so wide a room.
  public func visibleColumns(in room: Size, glyphs: GlyphSet) -> Int {
    layout(in: room, glyphs: glyphs).columns.count
  }

  /// Some of its columns, of the rows that have a cell there.
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

  /// The cell drawn at a place of the rectangle that the map was drawn in; nil on titles, headings, blanks and below the rows.
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
