import Screen
import Subscriptions

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
    /// What stands in their place where not every column has room, by column: the same in fewer columns.
    var short: [Int: StyledText]
    /// What stands in place of those that have no room nevertheless, by column: in how many currencies an amount is.
    var counted: [Int: StyledText]
    var opening: Opening?
    /// What fills the cell of the list's bars.
    var bar: RowBar?
    /// What stands in the frame's lower edge while the row is selected, for what the columns may have no room for.
    var note: String?
    /// The same in fewer and fewer words, where it has no room.
    var shorterNotes: [String]
    /// What it adds to the sum of those that a filter leaves; nil where the list has no sum.
    var amount: Money?
    /// What amounts are worth in the reporting currency, by column, which decides their order; of none where not of all.
    var worths: [Int: Money]

    init(
      id: String, _ cells: [StyledText], short: [Int: StyledText?] = [:], counted: [Int: StyledText?] = [:],
      opening: Opening? = nil,
      bar: RowBar? = nil, note: String? = nil, shorterNotes: [String] = [], amount: Money? = nil,
      worths: [Int: Money?] = [:]
    ) {
      self.id = id
      self.cells = cells
      self.short = short.compactMapValues(\.self)
      self.counted = counted.compactMapValues(\.self)
      self.opening = opening
      self.bar = bar
      self.note = note
      self.shorterNotes = shorterNotes
      self.amount = amount
      self.worths = worths.compactMapValues(\.self)
    }

    /// With the cells of these columns alone.
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

    /// A cell as it stands in a column of the most columns that it may have; nil where the row has none.
    fileprivate func widest(_ column: Int, within most: Int, in glyphs: GlyphSet) -> StyledText? {
      guard cells.indices.contains(column) else { return nil }
      guard let counted = counted[column], cells[column].width(in: glyphs) > most else {
        return cells[column]
      }
      return counted
    }
  }

  /// What else a column's cells can be drawn as, by their rows.
  private struct Forms: Hashable {
    var short: [String: StyledText] = [:]
    var counted: [String: StyledText] = [:]
    /// Columns of the widest in its short form, and in the form of the fewest columns.
    var shortWidth = 0
    var least = 0
  }

  private(set) var columns: [TableColumn]
  /// Of each column; nil where neither its cells nor its title have others.
  private var forms: [Forms?]
  private(set) var rows: [TableRow]
  private(set) var openings: [String: Opening] = [:]
  private(set) var notes: [String: [String]] = [:]
  /// Of the rows that have one, by their ids.
  private var amounts: [String: Money] = [:]
  /// By their ids and the names of their columns.
  private(set) var worths: [String: [String: Money]] = [:]
  /// What every row has in columns that are not drawn, for the end of the title: `; all: kind standard, state active`.
  private(set) var alike: StyledText = []
  private var barColumn: Int?
  private var bars: [String: RowBar] = [:]
  /// What filters and sorts call each column; empty for bars.
  private(set) var fieldNames: [String]
  /// What cells stand for besides what they show, for filters.
  private(set) var meanings: CellMeanings
  /// What no row has anything in. Filters know it, or a script's filter would be wrong on some days.
  let absentFields: [String]
  private(set) var sortMark: SortMark?
  /// What amounts in several currencies are sorted by, for the end of the title.
  private(set) var sortedCurrencies = ""
  /// As it was typed; empty shows every row.
  var filterText = ""
  /// Rows that a filter leaves out.
  private(set) var hidden = 0
  /// What stands in its cells as a heat map; nil in an ordinary table.
  private(set) var shaded: ShadedCells?
  /// All rows there are, where the list holds only some of them.
  var total: Int?
  var emptyText: String

  /// - Parameters:
  ///   - columns: also those that are not present.
  ///   - rows: with a cell for each column.
  ///   - total: all rows that there are, of which these may be some.
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
      openings[drawn.id] = row.opening
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

  /// The table for a room of so many columns; nil where it is not to be drawn.
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

  /// Puts what has room into the cells that have other forms.
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

  /// Whether a row passes a filter of this list.
  func matches(_ row: TableRow, _ filter: Filter) -> Bool {
    filter.matches(row.cells.map(\.text), fields: fieldNames, meanings: meanings)
  }

  /// `hidden: Lost ▼, Recovered`, then the same in fewer and fewer words; empty where every column has room. The one that the rows are
  /// sorted by comes first.
  func hiddenColumns(in room: Int, _ glyphs: GlyphSet) -> [String] {
    let columns = columns(in: room)
    let placed = Set(TableColumn.place(columns, in: room).map(\.index))
    // Bars have no name, and a heat map can be moved in.
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

  /// Its title, or what filters call it where another column has the same.
  private func name(of place: Int) -> String {
    let title = columns[place].title
    return columns.count { $0.title == title } > 1 ? fieldNames[place].replacing("_", with: " ") : title
  }

  /// Whether anything would have to be cut or to go. Then no cell is drawn as it is that has a short form: amounts that add up are rounded
  /// all or none.
  private func isShort(in room: Int) -> Bool { namedColumns > room }

  /// Bars take what names and numbers leave, up to a length that is still easy to compare.
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

  /// With room for the whole of every cell that has no form of fewer columns, for where no room is given.
  func uncut(in glyphs: GlyphSet) -> Listing {
    var listing = self
    for place in columns.indices where place != barColumn {
      for row in rows where row.cells.indices.contains(place) && forms[place]?.counted[row.id] == nil {
        listing.columns[place].widen(to: row.cells[place].width(in: glyphs))
      }
    }
    return listing
  }

  /// What a filter leaves out, and what it could not look at.
  var leftOut: String {
    guard hidden > 0 else { return "" }
    let unread = (total ?? 0) - rows.count - hidden
    return ", \(CountText.of(hidden)) hidden" + (unread > 0 ? ", \(CountText.of(unread)) not read" : "")
  }

  /// Says in a column's title that it is sorted by it, for which the column gets room.
  ///
  /// - Parameter currencies: what amounts in several currencies are sorted by.
  mutating func mark(_ mark: SortMark, currencies: String = "") {
    sortMark = mark
    sortedCurrencies = currencies
    columns[mark.column].makeRoomForMark()
  }

  /// What its rows add up to; empty where it has no sum.
  var sum: Amounts { amounts.isEmpty ? Amounts() : Amounts(rows.compactMap { amounts[$0.id] }) }

  /// Shows these of its rows, in this order.
  mutating func show(_ order: [Int]) {
    hidden += rows.count - order.count
    rows = order.map { rows[$0] }
  }

  /// Does not draw those of some columns in which every row of several has the same.
  /// What that is goes to the title.
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

  /// Leaves out columns, the first excepted.
  mutating func hide(_ fields: Set<String>) {
    let kept = columns.indices.filter { $0 == 0 || !fields.contains(fieldNames[$0]) }
    // The columns of a heat map are one scale.
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

  /// Columns from which on it shows all that it has of this: with its numbers none is hidden, with its names no cell is cut. Bars take
  /// what is left: a page whose blocks waited for room for them would be longer.
  func columns(for need: LayoutNeed) -> Int {
    // A heat map can be moved in.
    guard shaded == nil else { return 0 }
    return switch need {
    case .numbers: TableColumn.roomForAll(of: withoutBars)
    case .names, .changes, .courses: namedColumns
    }
  }

  private var namedColumns: Int { withoutBars.idealColumns }

  /// Columns that show every cell whole.
  var naturalColumns: Int { columns.idealColumns }
}

extension [TableColumn] {
  /// Of all that are shown, with the blanks between them.
  fileprivate var idealColumns: Int {
    let shown = filter(\.isShown)
    return shown.reduce(Swift.max(0, shown.count - 1) * TableColumn.gap) { $0 + $1.ideal }
  }
}

extension TableColumn {
  /// For the sign of its order, beside the title.
  fileprivate mutating func makeRoomForMark() {
    let least = TextWidth.of(shortTitle ?? title, in: .unicode)
    if minimum >= least { minimum = max(minimum, least + 1) }
    preferred = max(preferred, minimum)
    ideal = max(ideal, preferred, TextWidth.of(title, in: .unicode) + 1)
  }

  /// Takes so many columns, if it took fewer.
  fileprivate mutating func widen(to width: Int) { ideal = max(ideal, width) }

  /// Takes no more than its minimum and so many columns.
  fileprivate mutating func narrow(to width: Int) {
    ideal = max(minimum, min(ideal, width))
    preferred = min(preferred, ideal)
  }

  /// Gives it so many columns, neither more nor less.
  fileprivate mutating func fix(at width: Int) { (minimum, preferred, ideal) = (width, width, width) }
}
