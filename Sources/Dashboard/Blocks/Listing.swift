import Screen

/// A table's columns and rows, and what Enter on a row opens.
struct Listing: Hashable, Sendable {
  /// A bar in a row, as long as a share of the column.
  struct RowBar: Hashable, Sendable {
    var fraction: Double
    var style: Style

    init(_ fraction: Double, _ style: Style) {
      self.fraction = fraction
      self.style = style
    }
  }

  struct Row: Hashable, Sendable {
    var id: String
    var cells: [StyledText]
    var opening: Opening?
    /// What fills the cell of the list's bars.
    var bar: RowBar?
    /// What stands in the frame's lower edge while the row is selected, for what the columns may have no room for.
    var note: String?

    init(
      id: String, _ cells: [StyledText], opening: Opening? = nil, bar: RowBar? = nil, note: String? = nil
    ) {
      self.id = id
      self.cells = cells
      self.opening = opening
      self.bar = bar
      self.note = note
    }
  }

  private(set) var columns: [TableColumn]
  private(set) var rows: [TableRow]
  private(set) var openings: [String: Opening] = [:]
  private(set) var notes: [String: String] = [:]
  private var barColumn: Int?
  private var bars: [String: RowBar] = [:]
  /// What filters and sorts call each column; empty for bars.
  private(set) var fieldNames: [String]
  private(set) var sortMark: SortMark?
  /// As it was typed; empty shows every row.
  var filterText = ""
  /// Rows that a filter leaves out.
  private(set) var hidden = 0
  /// All rows there are, where the list holds only some of them.
  var total: Int?
  var emptyText: String

  init(
    _ columns: [ListingColumn], _ rows: [Row], total: Int? = nil, emptyText: String, in glyphs: GlyphSet
  ) {
    var seen: [String: Int] = [:]
    self.rows = rows.map { row in
      let count = seen[row.id, default: 0]
      seen[row.id] = count + 1
      return TableRow(id: count == 0 ? row.id : "\(row.id)#\(count)", row.cells)
    }
    for (row, drawn) in zip(rows, self.rows) {
      openings[drawn.id] = row.opening
      notes[drawn.id] = row.note
      bars[drawn.id] = row.bar
    }
    barColumn = columns.firstIndex(where: \.isBar)
    fieldNames = columns.map(\.field)
    self.columns = columns.enumerated().map { index, column in
      column.fitted(to: rows.lazy.compactMap { $0.cells.dropFirst(index).first }, in: glyphs)
    }
    self.total = total
    self.emptyText = emptyText
  }

  /// The table for a room of so many columns; nil where it is not to be drawn.
  func table(
    selected: String?, offset: Int, columns room: Int? = nil, in glyphs: GlyphSet = .unicode
  ) -> Table {
    var table = Table(
      columns: columns, rows: rows, selected: selected, offset: offset, sort: sortMark,
      emptyText: StyledText(emptyText, .dim)
    )
    if let room, let barColumn { drawBars(in: barColumn, of: &table, room: room, glyphs) }
    return table
  }

  /// What the other columns leave is the bars', up to a length that is still easy to compare.
  private func drawBars(in column: Int, of table: inout Table, room: Int, _ glyphs: GlyphSet) {
    let width = min(64, columns[column].ideal + max(0, room - naturalColumns))
    let old = columns[column]
    table.columns[column] = TableColumn(
      old.title, minimum: width, align: old.alignment, priority: old.priority)
    for index in rows.indices where table.rows[index].cells.indices.contains(column) {
      let bar = bars[rows[index].id]
      table.rows[index].cells[column] = BarText.of(
        bar?.fraction, columns: width, bar?.style ?? .accent, in: glyphs)
    }
  }

  /// What a filter leaves out, and what it could not look at.
  var leftOut: String {
    guard hidden > 0 else { return "" }
    let unread = (total ?? 0) - rows.count - hidden
    return ", \(CountText.of(hidden)) hidden" + (unread > 0 ? ", \(CountText.of(unread)) not read" : "")
  }

  /// Says in a column's title that it is sorted by it, for which the column gets room.
  mutating func mark(_ mark: SortMark) {
    sortMark = mark
    let old = columns[mark.column]
    let title = TextWidth.of(old.title, in: .unicode) + 1
    columns[mark.column] = TableColumn(
      old.title, minimum: old.minimum == old.ideal ? max(old.minimum, title) : old.minimum,
      ideal: max(old.ideal, title), align: old.alignment, priority: old.priority)
  }

  /// Shows these of its rows, in this order.
  mutating func show(_ order: [Int]) {
    hidden += rows.count - order.count
    rows = order.map { rows[$0] }
  }

  /// Leaves out columns, the first excepted.
  mutating func hide(_ fields: Set<String>) {
    let kept = columns.indices.filter { $0 == 0 || !fields.contains(fieldNames[$0]) }
    guard kept.count < columns.count else { return }
    columns = kept.map { columns[$0] }
    fieldNames = kept.map { fieldNames[$0] }
    rows = rows.map { row in
      TableRow(id: row.id, kept.filter(row.cells.indices.contains).map { row.cells[$0] })
    }
    barColumn = barColumn.flatMap(kept.firstIndex)
    sortMark = sortMark.flatMap { mark in
      kept.firstIndex(of: mark.column).map { SortMark(column: $0, isDescending: mark.isDescending) }
    }
  }

  /// Columns that show every cell whole.
  var naturalColumns: Int { columns.reduce(max(0, columns.count - 1) * 2) { $0 + $1.ideal } }
}
