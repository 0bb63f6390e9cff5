public struct TableRow: Hashable, Sendable {
  public var id: String
  public var cells: [StyledText]
  public var bar: RowBar?

  public init(id: String, _ cells: [StyledText], bar: RowBar? = nil) {
    (self.id, self.cells, self.bar) = (id, cells, bar)
  }
}

/// Bar in a row of a table; `fraction` is the filled part of the column, 0 to 1.
public struct RowBar: Hashable, Sendable {
  public var fraction: Double
  public var style: Style

  public init(_ fraction: Double, _ style: Style) {
    (self.fraction, self.style) = (fraction, style)
  }
}

/// Sort column and direction, shown as a mark in the column's title.
public struct SortMark: Hashable, Sendable {
  public var column: Int
  public var isDescending: Bool

  public init(column: Int, isDescending: Bool) {
    (self.column, self.isDescending) = (column, isDescending)
  }

  public func glyph(in glyphs: GlyphSet) -> String { isDescending ? glyphs.descending : glyphs.ascending }
}

/// Table of text with column titles and one selected row, scrolled so that the selection is visible.
public struct Table: Sendable {
  public var columns: [TableColumn]
  public var rows: [TableRow]
  public var selected: String?
  /// First visible row of the previous drawing; the table scrolls only to keep the selection visible.
  public var offset: Int
  public var sort: SortMark?
  public var emptyText: StyledText

  public init(
    columns: [TableColumn], rows: [TableRow], selected: String? = nil, offset: Int = 0, sort: SortMark? = nil,
    emptyText: StyledText = ""
  ) {
    (self.columns, self.rows, self.selected, self.offset) = (columns, rows, selected, offset)
    (self.sort, self.emptyText) = (sort, emptyText)
  }

  /// Draws the titles and as many rows as fit, and returns the index of the first visible row.
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
      let mark = sort?.column == place.index ? sort?.glyph(in: canvas.glyphs) ?? "" : ""
      canvas.put(
        column.alignment == .right ? mark + column.title : column.title + mark, column: place.column, row: 0,
        .heading, width: place.width, align: column.alignment)
    }
  }

  private func draw(_ row: TableRow, line: Int, on canvas: inout Canvas, _ placed: [PlacedColumn]) {
    for place in placed where place.index < row.cells.count {
      guard !columns[place.index].isBar else {
        if let bar = row.bar {
          canvas.bar(bar.fraction, column: place.column, row: line, columns: place.width, bar.style)
        }
        continue
      }
      canvas.put(
        row.cells[place.index], column: place.column, row: line, width: place.width,
        align: columns[place.index].alignment, cut: columns[place.index].cut)
    }
    if row.id == selected {
      let whole = Rect(column: 0, row: line, columns: canvas.bounds.columns, rows: 1)
      // One style for the whole row, because reverse video over coloured text is unreadable in many palettes.
      canvas.squareBars(whole)
      canvas.restyle(whole, except: \.isBlockElement) { _ in .selection }
    }
  }

  public func scrolledOffset(visible: Int) -> Int {
    let index = selected.flatMap { selected in rows.firstIndex { $0.id == selected } }
    return HeatMap.shown(visible, of: rows.count, from: offset, with: index).lowerBound
  }

  /// Returns the id of the row `distance` rows below the selected row, limited to the ends of the table.
  ///
  /// Without a selection, it is the id of the first row; in an empty table, it is `nil`.
  public func selection(movedBy distance: Int) -> String? {
    guard !rows.isEmpty else { return nil }
    guard let selected, let index = rows.firstIndex(where: { $0.id == selected }) else { return rows[0].id }
    let (target, overflow) = index.addingReportingOverflow(distance)
    let end = distance < 0 ? 0 : rows.count - 1
    return rows[overflow ? end : min(max(0, target), rows.count - 1)].id
  }

  public func row(at place: Point, in rect: Rect) -> TableRow? {
    guard rect.contains(place), place.row > rect.row else { return nil }
    let index = scrolledOffset(visible: rect.rows - 1) + place.row - rect.row - 1
    return rows.indices.contains(index) ? rows[index] : nil
  }

  public func title(at place: Point, in rect: Rect) -> Int? {
    guard rect.contains(place), place.row == rect.row else { return nil }
    return TableColumn.place(columns, in: rect.columns).first {
      let start = rect.column + $0.column
      return (start..<start + $0.width + TableColumn.gap).contains(place.column)
    }?.index
  }

  public func footer(visible: Int, total: Int? = nil, in glyphs: GlyphSet = .unicode) -> String {
    let all = total ?? rows.count
    guard !rows.isEmpty, visible > 0 else { return "0 of \(all.grouped)" }
    let first = scrolledOffset(visible: visible)
    let last = min(rows.count, first + visible)
    return "\((first + 1).grouped)\(glyphs.dash)\(last.grouped) of \(all.grouped)"
  }
}

extension BinaryInteger {
  public var grouped: String {
    var digits = Array(String(magnitude))
    var at = digits.count - 3
    while at > 0 {
      digits.insert(",", at: at)
      at -= 3
    }
    return (self < 0 ? "-" : "") + String(digits)
  }
}
