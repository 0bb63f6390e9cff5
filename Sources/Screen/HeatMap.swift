/// Numbers in shaded cells: a table that scrolls both ways below titles and beside headings that stay.
public struct HeatMap: Hashable, Sendable {
  public struct Cell: Hashable, Sendable {
    public var text: String
    /// 0 to 1, told by the shade; nil has none and stands in the background.
    public var share: Double?
    /// Not yet what it will be, which is marked instead of shaded.
    public var isUnfinished: Bool

    public init(_ text: String, share: Double? = nil, isUnfinished: Bool = false) {
      (self.text, self.share, self.isUnfinished) = (text, share, isUnfinished)
    }
  }

  public struct Row: Hashable, Sendable {
    public var id: String
    /// What stands at the left, one for each of the map's `headings`.
    public var heads: [StyledText]
    /// Nil leaves a place blank; at the end it may be left out.
    public var cells: [Cell?]

    public init(id: String, heads: [StyledText], cells: [Cell?]) {
      (self.id, self.heads, self.cells) = (id, heads, cells)
    }
  }

  /// A cell, by its row and its column.
  public struct Place: Hashable, Sendable {
    public var row: String
    public var column: Int

    public init(row: String, column: Int) { (self.row, self.column) = (row, column) }
  }

  /// Titles of the headings, of which the first keeps to the left and the others to the right.
  public var headings: [String]
  /// Titles of the columns of cells.
  public var titles: [String]
  public var rows: [Row]
  /// What stays below the rows.
  public var feet: [Row]
  public var selected: Place?
  /// The first row and the first column shown before, kept where the selection allows it.
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
    // Told without reverse video too, which heat may have where there are few colours.
    canvas.put("[", column: room.column, row: room.row, style)
    canvas.put("]", column: room.endColumn - 1, row: room.row, style)
  }

  private func cell(_ row: Row, _ column: Int) -> Cell? {
    row.cells.indices.contains(column) ? row.cells[column] : nil
  }
}
