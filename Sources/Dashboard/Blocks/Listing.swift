import Screen
import Subscriptions

/// Columns and rows of a table or heat map, with the targets that Enter opens.
struct Listing: Hashable, Sendable {
  struct Row: Hashable, Sendable {
    var id: String
    var cells: [StyledText]
    var drillDown: DrillDown?
    var bar: RowBar?
    /// Text in the frame's lower edge while the row is selected, with details that may not fit the columns.
    var note: String?
    /// Amount that the row adds to the list's sum; `nil` if the list has no sum or the row has no amount.
    var amount: Money?
    /// Amounts in the reporting currency by field, for sorting a column with several currencies.
    var worths: [String: Money]
    /// Index of the row's data in `records`.
    fileprivate(set) var place = 0

    init(
      id: String, _ cells: [StyledText] = [], drillDown: DrillDown? = nil, bar: RowBar? = nil,
      note: String? = nil, amount: Money? = nil, worths: [String: Money] = [:]
    ) {
      self.id = id
      self.cells = cells
      self.drillDown = drillDown
      self.bar = bar
      self.note = note
      self.amount = amount
      self.worths = worths
    }
  }

  private(set) var columns: [ListingColumn]
  private(set) var rows: [TableRow]
  /// All rows by id, with all columns, including hidden ones.
  private let details: [String: Row]
  /// Values that all rows share in hidden columns, for the title: `; all: kind standard, state active`.
  private(set) var alike: StyledText = []
  /// Columns without content, which filters accept so that a script does not fail on days without such data.
  let absent: [ListingColumn]
  let records: ListRecords
  private(set) var sortMark: SortMark?
  /// Words for the title such as ` in EUR` if amounts in several currencies are sorted; empty otherwise.
  private(set) var sortedCurrencies = ""
  var filterText = ""
  private(set) var hidden = 0
  var shaded: ShadedCells?
  /// Number of all rows; `nil` if the list is complete.
  var total: Int?
  var emptyText: String

  /// Creates a list; `columns` and the rows' cells also include columns whose `isPresent` is false.
  init(
    _ columns: [ListingColumn], _ rows: [Row], total: Int? = nil, emptyText: String,
    records: ListRecords = .cells, in glyphs: GlyphSet
  ) {
    absent = columns.filter { !$0.isPresent }
    self.records = records
    let present = columns.indices.filter { columns[$0].isPresent }
    var seen: [String: Int] = [:]
    var details: [String: Row] = [:]
    let drawn = rows.enumerated().map { place, row in
      let count = seen[row.id, default: 0]
      seen[row.id] = count + 1
      let id = count == 0 ? row.id : "\(row.id)#\(count)"
      details[id] = altered(row) { $0.place = place }
      let cells = present.count == columns.count ? row.cells : present.map { row.cells[$0] }
      return TableRow(id: id, cells, bar: row.bar)
    }
    self.columns = present.enumerated().map { place, index in
      var column = columns[index]
      column.fit(to: drawn.lazy.filter { place < $0.cells.count }.map { $0.cells[place] }, in: glyphs)
      return column
    }
    (self.rows, self.details) = (drawn, details)
    self.total = total.flatMap { $0 > rows.count ? $0 : nil }
    self.emptyText = emptyText
  }

  subscript(row id: String) -> Row? { details[id] }

  var fieldNames: [String] { columns.map(\.field) }

  var meanings: CellMeanings {
    Dictionary(
      columns.filter { !$0.meanings.isEmpty }.map { ($0.field, $0.meanings) }, uniquingKeysWith: { $1 })
  }

  func table(selected: String?, offset: Int) -> Table {
    Table(
      columns: columns.map(\.drawn), rows: rows, selected: selected, offset: offset, sort: sortMark,
      emptyText: StyledText(emptyText, .dim))
  }

  /// Returns a text such as `3 columns hidden`; `nil` for a heat map, or if all columns fit in `room`.
  func hiddenColumns(in room: Int) -> String? {
    let drawn = columns.map(\.drawn)
    let placed = Set(TableColumn.place(drawn, in: room).map(\.index))
    // Bars are not counted, because they repeat a number. A heat map scrolls instead.
    let hidden = drawn.indices.filter { drawn[$0].isShown && !drawn[$0].isBar && !placed.contains($0) }
    guard !hidden.isEmpty, shaded == nil else { return nil }
    return "\(CountText.of(hidden.count, "column")) hidden"
  }

  /// Returns a copy in which every column fits its longest cell, for printed output.
  func uncut(in glyphs: GlyphSet) -> Listing {
    var listing = self
    for place in columns.indices where !columns[place].drawn.isBar {
      let widest = rows.lazy.compactMap {
        $0.cells.indices.contains(place) ? $0.cells[place].width(in: glyphs) : nil
      }
      listing.columns[place].drawn.maximum = max(columns[place].drawn.maximum, widest.max() ?? 0)
    }
    return listing
  }

  /// Text such as `, 12 hidden, 300 not read` about rows that are not visible; empty if no row is hidden.
  var leftOut: String {
    guard hidden > 0 else { return "" }
    let unread = (total ?? 0) - rows.count - hidden
    return ", \(CountText.of(hidden)) hidden" + (unread > 0 ? ", \(CountText.of(unread)) not read" : "")
  }

  /// Marks a column as sorted, widens it for the mark, and keeps it on narrow screens.
  mutating func mark(_ mark: SortMark, currencies: String = "") {
    sortMark = mark
    sortedCurrencies = currencies
    let drawn = columns[mark.column].drawn
    let isWhole = drawn.minimum == drawn.maximum
    let maximum = max(drawn.maximum, TextWidth.of(drawn.title) + 1)
    columns[mark.column].drawn.maximum = maximum
    (columns[mark.column].drawn.priority, columns[mark.column].drawn.isShown) = (-1, true)
    if isWhole { columns[mark.column].drawn.minimum = maximum }
  }

  var sum: Amounts {
    let shown = rows.compactMap { details[$0.id] }
    let reporting = shown.lazy.compactMap { $0.worths.values.first?.currency }.first
    return shown.reduce(into: Amounts(in: reporting)) { sum, row in
      guard let amount = row.amount else { return }
      sum.add(
        amount, row.worths.values.first.map { Converted(micros: $0.micros) } ?? Converted(unconverted: 1))
    }
  }

  mutating func show(_ order: [Int]) {
    hidden += rows.count - order.count
    rows = order.map { rows[$0] }
  }

  /// Hides columns of `fields` whose value is the same in all rows, and adds the values to `alike`.
  ///
  /// The first column, columns of missing values and the columns of a single row are not hidden.
  mutating func leaveOutShared(_ fields: Set<String>) {
    guard rows.count > 1, let first = rows.first else { return }
    for place in columns.indices.dropFirst() where fields.contains(columns[place].field) {
      let text = first.cells[place].text
      guard !CellValue(text).isMissing, rows.allSatisfy({ $0.cells[place].text == text }) else { continue }
      columns[place].drawn.isShown = false
      let name = "\(columns[place].drawn.title.lowercased()) \(text)"
      alike = alike.spans.isEmpty ? [TextSpan("; all: \(name)", .dim)] : alike + [TextSpan(", \(name)", .dim)]
    }
  }

  mutating func hide(_ fields: Set<String>) {
    let kept = columns.indices.filter { $0 == 0 || !fields.contains(columns[$0].field) }
    // A heat map keeps all columns, because they form a single scale.
    guard kept.count < columns.count, shaded == nil else { return }
    columns = kept.map { columns[$0] }
    rows = rows.map { row in
      TableRow(id: row.id, kept.filter(row.cells.indices.contains).map { row.cells[$0] }, bar: row.bar)
    }
    sortMark = sortMark.flatMap { mark in
      kept.firstIndex(of: mark.column).map { SortMark(column: $0, isDescending: mark.isDescending) }
    }
  }

  var naturalColumns: Int {
    let shown = columns.map(\.drawn).filter(\.isShown)
    return shown.reduce(max(0, shown.count - 1) * TableColumn.gap) {
      $0 + ($1.isBar ? $1.minimum : $1.maximum)
    }
  }
}
