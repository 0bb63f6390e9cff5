/// One row of a table.
public struct TableRow: Hashable, Sendable {
  /// What the row is about, the same after a refresh or another sort, so that the selection stays on it.
  public var id: String
  public var cells: [StyledText]

  public init(id: String, _ cells: [StyledText]) {
    self.id = id
    self.cells = cells
  }
}

/// Which column the rows are sorted by, for the mark in its title.
public struct SortMark: Hashable, Sendable {
  public var column: Int
  public var isDescending: Bool

  public init(column: Int, isDescending: Bool) {
    self.column = column
    self.isDescending = isDescending
  }

  public func glyph(in glyphs: GlyphSet) -> String { isDescending ? glyphs.descending : glyphs.ascending }
}

/// Columns of text under titles, one row selected, scrolled so that the selection shows.
public struct Table: Sendable {
  public var columns: [TableColumn]
  public var rows: [TableRow]
  public var selected: String?
  /// The first row shown before, kept where the selection allows it.
  public var offset: Int
  public var sort: SortMark?
  /// What stands in place of the rows when there are none.
  public var emptyText: StyledText

  public init(
    columns: [TableColumn], rows: [TableRow], selected: String? = nil, offset: Int = 0, sort: SortMark? = nil,
    emptyText: StyledText = ""
  ) {
    self.columns = columns
    self.rows = rows
    self.selected = selected
    self.offset = offset
    self.sort = sort
    self.emptyText = emptyText
  }

  /// Draws the titles and as many rows as there is room for.
  ///
  /// - Returns: the offset used, to be handed in again at the next drawing.
  @discardableResult
  public func draw(on canvas: inout Canvas, in rect: Rect) -> Int {
    let visible = max(0, rect.rows - 1)
    let first = scrolledOffset(visible: visible)
    canvas.within(rect) { canvas in
      let placed = TableColumn.place(columns, in: canvas.bounds.columns)
      drawTitles(on: &canvas, placed)
      if rows.isEmpty { canvas.put(emptyText, column: 0, row: 1) }
      for (line, row) in rows.dropFirst(first).prefix(visible).enumerated() {
        draw(row, line: line + 1, on: &canvas, placed)
      }
    }
    return first
  }

  private func drawTitles(on canvas: inout Canvas, _ placed: [PlacedColumn]) {
    for place in placed {
      let column = columns[place.index]
      var mark = ""
      if let sort, sort.column == place.index {
        mark = sort.glyph(in: canvas.glyphs)
      }
      var title = column.title
      if let short = column.shortTitle, TextWidth.of(title + mark, in: canvas.glyphs) > place.width {
        title = short
      }
      canvas.put(
        column.alignment == .right ? mark + title : title + mark, column: place.column, row: 0, .heading,
        width: place.width, align: column.alignment)
    }
  }

  private func draw(_ row: TableRow, line: Int, on canvas: inout Canvas, _ placed: [PlacedColumn]) {
    for place in placed where place.index < row.cells.count {
      canvas.put(
        row.cells[place.index], column: place.column, row: line, width: place.width,
        align: columns[place.index].alignment, cut: columns[place.index].cut)
    }
    if row.id == selected {
      let whole = Rect(column: 0, row: line, columns: canvas.bounds.columns, rows: 1)
      // One style for the whole row: reverse video over coloured text is unreadable in many palettes.
      canvas.squareBars(whole)
      canvas.restyle(whole, except: \.isBlockElement) { _ in .selection }
    }
  }
}
