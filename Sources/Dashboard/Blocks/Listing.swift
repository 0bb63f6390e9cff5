import Screen
import Subscriptions

/// Columns and rows of a table or a heat map, and what its rows open.
///
/// Cells may have shorter forms for narrow screens. A listing can be sorted, filtered and printed.
struct Listing: Hashable, Sendable {
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
    /// Shorter forms of cells by column, used if the list is too narrow for its full cells.
    var short: [Int: StyledText]
    /// Last resort for cells that are still too wide, by column: the number of currencies of an amount.
    var counted: [Int: StyledText]
    var drillDown: DrillDown?
    var bar: RowBar?
    /// Text of the frame's lower edge while the row is selected, with details that may not fit the columns.
    var note: String?
    /// Shorter forms of the note, longest first.
    var shorterNotes: [String]
    /// Amount that the row adds to the list's sum; `nil` if the list has no sum.
    var amount: Money?
    /// Values of amounts in the reporting currency by column. The sort uses them if every amount of the
    /// column has one.
    var worths: [Int: Money]

    init(
      id: String, _ cells: [StyledText], short: [Int: StyledText?] = [:], counted: [Int: StyledText?] = [:],
      drillDown: DrillDown? = nil,
      bar: RowBar? = nil, note: String? = nil, shorterNotes: [String] = [], amount: Money? = nil,
      worths: [Int: Money?] = [:]
    ) {
      self.id = id
      self.cells = cells
      self.short = short.compactMapValues(\.self)
      self.counted = counted.compactMapValues(\.self)
      self.drillDown = drillDown
      self.bar = bar
      self.note = note
      self.shorterNotes = shorterNotes
      self.amount = amount
      self.worths = worths.compactMapValues(\.self)
    }

    fileprivate func with(_ places: [Int]) -> Row {
      var row = self
      row.cells = places.map { cells[$0] }
      func moved<Value>(_ texts: [Int: Value]) -> [Int: Value] {
        Dictionary(
          uniqueKeysWithValues: places.enumerated().compactMap { new, old in texts[old].map { (new, $0) } })
      }
      (row.short, row.counted, row.worths) = (moved(short), moved(counted), moved(worths))
      return row
    }

    /// Returns the cell, or its counted form if it is wider than `most`; `nil` if the row has no cell there.
    fileprivate func widest(_ column: Int, within most: Int, in glyphs: GlyphSet) -> StyledText? {
      guard cells.indices.contains(column) else { return nil }
      guard let counted = counted[column], cells[column].width(in: glyphs) > most else {
        return cells[column]
      }
      return counted
    }
  }

  private struct Forms: Hashable {
    var short: [String: StyledText] = [:]
    var counted: [String: StyledText] = [:]
    /// Widths of the longest cell: in short form, and in the shortest of its forms.
    var shortWidth = 0
    var least = 0
  }

  private(set) var columns: [TableColumn]
  /// By column; `nil` if neither the cells nor the title have other forms.
  private var forms: [Forms?]
  private(set) var rows: [TableRow]
  private(set) var openings: [String: DrillDown] = [:]
  private(set) var notes: [String: [String]] = [:]
  private var amounts: [String: Money] = [:]
  /// By column name and row id.
  private(set) var worths: [String: [String: Money]] = [:]
  /// Values that all rows share in hidden columns, for the end of the title: `; all: kind standard, state
  /// active`.
  private(set) var alike: StyledText = []
  private var barColumn: Int?
  private var bars: [String: RowBar] = [:]
  /// Names that filters and sorts use for the columns; empty for bars.
  private(set) var fieldNames: [String]
  private(set) var meanings: CellMeanings
  /// Names of columns without any content. Filters accept them, so that the filter of a script does not fail
  /// on days without such data.
  let absentFields: [String]
  private(set) var sortMark: SortMark?
  /// Basis for sorting amounts in several currencies, for the end of the title.
  private(set) var sortedCurrencies = ""
  var filterText = ""
  private(set) var hidden = 0
  private(set) var shaded: ShadedCells?
  /// Number of all rows, if the list has only some of them; else `nil`.
  var total: Int?
  var emptyText: String

  /// - Parameters:
  ///   - columns: Columns, including those that are not present.
  ///   - total: Number of all rows, if `rows` are a part of them.
  init(
    _ columns: [ListingColumn], _ rows: [Row], total: Int? = nil, emptyText: String,
    shaded: ShadedCells? = nil,
    in glyphs: GlyphSet
  ) {
    absentFields = columns.filter { !$0.isPresent }.map(\.field)
    let present = columns.indices.filter { columns[$0].isPresent }
    let rows = present.count == columns.count ? rows : rows.map { $0.with(present) }
    let columns = present.map { columns[$0] }
    var seen: [String: Int] = [:]
    self.rows = rows.map { row in
      let count = seen[row.id, default: 0]
      seen[row.id] = count + 1
      return TableRow(id: count == 0 ? row.id : "\(row.id)#\(count)", row.cells)
    }
    for (row, drawn) in zip(rows, self.rows) {
      openings[drawn.id] = row.drillDown
      if let note = row.note { notes[drawn.id] = [note] + row.shorterNotes }
      bars[drawn.id] = row.bar
      amounts[drawn.id] = row.amount
      for (place, worth) in row.worths { worths[columns[place].field, default: [:]][drawn.id] = worth }
    }
    barColumn = columns.firstIndex(where: \.isBar)
    fieldNames = columns.map(\.field)
    meanings = Dictionary(
      columns.filter { !$0.meanings.isEmpty }.map { ($0.field, $0.meanings) }, uniquingKeysWith: { $1 })
    let drawn = self.rows
    let others = rows.filter { !$0.short.isEmpty || !$0.counted.isEmpty }
    let forms = columns.indices.map { place in
      columns[place].shortTitle != nil
        || others.contains { $0.short[place] != nil || $0.counted[place] != nil }
        ? Self.forms(of: place, rows, drawn: drawn, in: glyphs) : nil
    }
    self.columns = columns.enumerated().map { index, column in
      column.fitted(
        to: rows.lazy.compactMap { $0.widest(index, within: column.most, in: glyphs) },
        least: forms[index]?.least,
        in: glyphs)
    }
    self.forms = forms
    self.total = total.flatMap { $0 > rows.count ? $0 : nil }
    self.emptyText = emptyText
    self.shaded = shaded
  }

  private static func forms(
    of column: Int, _ rows: [Row], drawn: [TableRow], in glyphs: GlyphSet
  ) -> Forms {
    var forms = Forms()
    for (row, drawn) in zip(rows, drawn) where row.cells.indices.contains(column) {
      (forms.short[drawn.id], forms.counted[drawn.id]) = (row.short[column], row.counted[column])
      let width = (row.short[column] ?? row.cells[column]).width(in: glyphs)
      forms.shortWidth = max(forms.shortWidth, width)
      forms.least = max(forms.least, min(width, row.counted[column]?.width(in: glyphs) ?? width))
    }
    return forms
  }

  /// Returns the table for a width; without one, cells keep their full forms and bars are left out, for
  /// callers that do not draw it.
  func table(
    selected: String?, offset: Int, columns room: Int? = nil, in glyphs: GlyphSet = .unicode
  ) -> Table {
    var table = Table(
      columns: room.map(columns(in:)) ?? columns, rows: rows, selected: selected, offset: offset,
      sort: sortMark, emptyText: StyledText(emptyText, .dim)
    )
    if let room {
      drawBars(on: &table, glyphs)
      fit(&table, in: room, glyphs)
    }
    return table
  }

  private func fit(_ table: inout Table, in room: Int, _ glyphs: GlyphSet) {
    let isShort = isShort(in: room)
    for place in TableColumn.place(table.columns, in: room) {
      guard let forms = forms[place.index] else { continue }
      for row in table.rows.indices where table.rows[row].cells.indices.contains(place.index) {
        let id = table.rows[row].id
        var cell = table.rows[row].cells[place.index]
        if isShort, let short = forms.short[id] { cell = short }
        if let counted = forms.counted[id], cell.width(in: glyphs) > place.width { cell = counted }
        table.rows[row].cells[place.index] = cell
      }
    }
  }

  func matches(_ row: TableRow, _ filter: Filter) -> Bool {
    filter.matches(row.cells.map(\.text), fields: fieldNames, meanings: meanings)
  }

  /// `hidden: Lost ▼, Recovered`, then shorter forms; empty if all columns fit. The sorted column is named
  /// first.
  func hiddenColumns(in room: Int, _ glyphs: GlyphSet) -> [String] {
    let columns = columns(in: room)
    let placed = Set(TableColumn.place(columns, in: room).map(\.index))
    // Bars have no name, and a heat map scrolls.
    let hidden = columns.indices.filter {
      columns[$0].isShown && !placed.contains($0) && !fieldNames[$0].isEmpty
    }
    guard !hidden.isEmpty, shaded == nil else { return [] }
    var names = hidden.map(name)
    var mark = ""
    if let sortMark, let place = hidden.firstIndex(of: sortMark.column) {
      mark = " \(sortMark.glyph(in: glyphs))"
      names.insert(names.remove(at: place) + mark, at: 0)
    }
    return (0..<names.count).map { left in
      let more = left == 0 ? [] : ["\(left) more"]
      return "hidden: \((names.dropLast(left) + more).joined(separator: ", "))"
    } + ["\(names.count) hidden\(mark)"]
  }

  private func name(of place: Int) -> String {
    let title = columns[place].title
    return columns.count { $0.title == title } > 1 ? fieldNames[place].replacing("_", with: " ") : title
  }

  /// Whether anything would have to be cut or hidden. If so, all cells use their short forms, so that amounts
  /// that add up are either all rounded or all exact.
  private func isShort(in room: Int) -> Bool { namedColumns > room }

  /// Columns for a width. Bars take the width that names and numbers leave, up to a length that is still easy
  /// to compare.
  private func columns(in room: Int) -> [TableColumn] {
    var fitting = withoutBars
    if isShort(in: room) {
      for (place, forms) in forms.enumerated() {
        if let forms { fitting[place].narrow(to: forms.shortWidth) }
      }
    }
    let left = room - namedColumns - TableColumn.gap
    guard let barColumn, columns[barColumn].isShown, left >= columns[barColumn].ideal else { return fitting }
    fitting[barColumn].isShown = true
    fitting[barColumn].fix(at: min(64, left))
    return fitting
  }

  private var withoutBars: [TableColumn] {
    var columns = columns
    if let barColumn { columns[barColumn].isShown = false }
    return columns
  }

  private func drawBars(on table: inout Table, _ glyphs: GlyphSet) {
    guard let barColumn, table.columns[barColumn].isShown else { return }
    let columns = table.columns[barColumn].minimum
    for index in rows.indices where table.rows[index].cells.indices.contains(barColumn) {
      let bar = bars[rows[index].id]
      table.rows[index].cells[barColumn] =
        bar.map { StyledText(glyphs.bar($0.fraction, columns: columns), $0.style) } ?? ""
    }
  }

  /// Returns a copy in which every column fits its longest cell, for printed output. Cells with a counted
  /// form may still be shortened.
  func uncut(in glyphs: GlyphSet) -> Listing {
    var listing = self
    for place in columns.indices where place != barColumn {
      for row in rows where row.cells.indices.contains(place) && forms[place]?.counted[row.id] == nil {
        listing.columns[place].widen(to: row.cells[place].width(in: glyphs))
      }
    }
    return listing
  }

  /// Count of hidden rows, and of rows that were not read and therefore not filtered.
  var leftOut: String {
    guard hidden > 0 else { return "" }
    let unread = (total ?? 0) - rows.count - hidden
    return ", \(CountText.of(hidden)) hidden" + (unread > 0 ? ", \(CountText.of(unread)) not read" : "")
  }

  /// Marks a column as sorted and widens it for the mark.
  ///
  /// - Parameter currencies: Basis for sorting amounts in several currencies.
  mutating func mark(_ mark: SortMark, currencies: String = "") {
    sortMark = mark
    sortedCurrencies = currencies
    columns[mark.column].makeRoomForMark()
  }

  var sum: Amounts { amounts.isEmpty ? Amounts() : Amounts(rows.compactMap { amounts[$0.id] }) }

  mutating func show(_ order: [Int]) {
    hidden += rows.count - order.count
    rows = order.map { rows[$0] }
  }

  /// Hides those of the given columns in which every row has the same value. The value goes to `alike` for
  /// the title.
  mutating func leaveOutShared(_ fields: Set<String>) {
    guard rows.count > 1, let first = rows.first else { return }
    for place in columns.indices.dropFirst() where fields.contains(fieldNames[place]) {
      let text = first.cells[place].text
      guard !CellValue(text).isMissing, rows.allSatisfy({ $0.cells[place].text == text }) else { continue }
      columns[place].isShown = false
      let name = "\(columns[place].title.lowercased()) \(text)"
      alike = alike.spans.isEmpty ? [TextSpan("; all: \(name)", .dim)] : alike + [TextSpan(", \(name)", .dim)]
    }
  }

  mutating func hide(_ fields: Set<String>) {
    let kept = columns.indices.filter { $0 == 0 || !fields.contains(fieldNames[$0]) }
    // The columns of a heat map form a single scale.
    guard kept.count < columns.count, shaded == nil else { return }
    columns = kept.map { columns[$0] }
    forms = kept.map { forms[$0] }
    fieldNames = kept.map { fieldNames[$0] }
    rows = rows.map { row in
      TableRow(id: row.id, kept.filter(row.cells.indices.contains).map { row.cells[$0] })
    }
    barColumn = barColumn.flatMap(kept.firstIndex)
    sortMark = sortMark.flatMap { mark in
      kept.firstIndex(of: mark.column).map { SortMark(column: $0, isDescending: mark.isDescending) }
    }
  }

  /// Width that satisfies a need: with `numbers` no column is hidden, with `names` no cell is cut.
  ///
  /// Bars are not counted, because pages would get longer if blocks waited for their width.
  func columns(for need: LayoutNeed) -> Int {
    // A heat map scrolls.
    guard shaded == nil else { return 0 }
    return switch need {
    case .numbers: TableColumn.roomForAll(of: withoutBars)
    case .names, .changes, .courses: namedColumns
    }
  }

  private var namedColumns: Int { withoutBars.idealColumns }

  var naturalColumns: Int { columns.idealColumns }
}

extension [TableColumn] {
  fileprivate var idealColumns: Int {
    let shown = filter(\.isShown)
    return shown.reduce(Swift.max(0, shown.count - 1) * TableColumn.gap) { $0 + $1.ideal }
  }
}

extension TableColumn {
  fileprivate mutating func makeRoomForMark() {
    let least = TextWidth.of(shortTitle ?? title, in: .unicode)
    if minimum >= least { minimum = max(minimum, least + 1) }
    preferred = max(preferred, minimum)
    ideal = max(ideal, preferred, TextWidth.of(title, in: .unicode) + 1)
  }

  fileprivate mutating func widen(to width: Int) { ideal = max(ideal, width) }

  fileprivate mutating func narrow(to width: Int) {
    ideal = max(minimum, min(ideal, width))
    preferred = min(preferred, ideal)
  }

  fileprivate mutating func fix(at width: Int) { (minimum, preferred, ideal) = (width, width, width) }
}
