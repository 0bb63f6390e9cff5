import Screen
import Subscriptions

/// Column of a list with the cell of each element.
struct Column<Element> {
  var drawn: ListingColumn
  /// Longer meaning of an element's cell for filters, such as the word of the JSON.
  let code: ((Element) -> String?)?
  /// Bar of an element, for a column of bars.
  private(set) var bar: ((Element) -> RowBar?)?
  /// Returns the cell of an element; `nil` is a dash.
  let cell: (Element) -> StyledText?
  /// Whether the title shows its value instead, if that is the same in all rows.
  private(set) var isLeftOutIfAlike = false

  init(
    _ drawn: ListingColumn, code: ((Element) -> String?)? = nil, cell: @escaping (Element) -> StyledText?
  ) {
    (self.drawn, self.code, self.cell) = (drawn, code, cell)
  }

  func named(_ field: String) -> Column {
    var column = self
    column.drawn = drawn.named(field)
    return column
  }

  func leftOutIfAlike() -> Column {
    var column = self
    column.isLeftOutIfAlike = true
    return column
  }

  static func count(
    _ title: String, _ style: Style = .text, priority: Int = 0, _ number: @escaping (Element) -> Int
  ) -> Column {
    Column(.number(title, priority: priority)) { .number(number($0), style) }
  }

  static func minute(
    _ drawn: ListingColumn, in formatter: DisplayFormatter, _ instant: @escaping (Element) -> Instant?
  ) -> Column {
    Column(drawn) { instant($0).map { StyledText(formatter.minute($0), .dim) } }
  }

  static func bar(_ title: String = "", _ bar: @escaping (Element) -> RowBar?) -> Column {
    var column = Column(.bar(title)) { _ in "" }
    column.bar = bar
    return column
  }

  static func bar(_ style: Style, _ share: @escaping (Element) -> Double?) -> Column {
    bar { share($0).map { RowBar($0, style) } }
  }

  static func product(
    _ title: String = "Product", in formatter: DisplayFormatter, least: Int = 16, priority: Int = 1,
    _ product: @escaping (Element) -> ProductID?
  ) -> Column {
    Column(.product(title, of: formatter.products, least: least, priority: priority)) { element in
      product(element).map { StyledText(formatter.products.name(of: $0)) }
    }
  }

  static func storefront(
    priority: Int, isPresent: Bool = true, _ storefront: @escaping (Element) -> StorefrontCode?
  ) -> Column {
    Column(.storefront(priority: priority).present(isPresent)) { element in
      storefront(element).map { StyledText($0.rawValue) }
    }
  }

  static func user(
    priority: Int, isPresent: Bool = true, _ user: @escaping (Element) -> AppUserID?
  ) -> Column {
    Column(.id("App user", most: 36, priority: priority).present(isPresent)) { element in
      user(element).map { StyledText($0.rawValue) }
    }
  }

  static func chain(
    priority: Int = 0, isPresent: Bool = true, _ chain: @escaping (Element) -> OriginalTransactionID
  ) -> Column {
    Column(.whole("Subscription", priority: priority).named("chain").present(isPresent)) {
      StyledText(chain($0).rawValue)
    }
  }
}

extension Listing {
  /// - Parameter row: Returns the row of an element without its cells and its bar.
  init<Element>(
    _ elements: [Element], _ columns: [Column<Element>], total: Int? = nil, emptyText: String,
    in glyphs: GlyphSet, row: (Element) -> Row
  ) {
    let bar = columns.lazy.compactMap(\.bar).first
    let rows = elements.map { element in
      var row = row(element)
      row.cells = columns.map { $0.drawn.isPresent ? $0.cell(element) ?? .dash(in: glyphs) : "" }
      row.bar = bar?(element)
      return row
    }
    let drawn = columns.enumerated().map { place, column in
      guard column.drawn.isPresent, let code = column.code else { return column.drawn }
      let meanings = zip(rows, elements).compactMap { row, element in
        code(element).map { (row.cells[place].text, $0) }
      }
      return column.drawn.meaning(
        Dictionary(meanings.filter { $0.0 != $0.1 }, uniquingKeysWith: { one, _ in one }))
    }
    self.init(drawn, rows, total: total, emptyText: emptyText, in: glyphs)
    // Rows that were not read may have other values.
    if self.total == nil { leaveOutShared(Set(columns.filter(\.isLeftOutIfAlike).map(\.drawn.field))) }
  }
}

extension Block {
  /// Creates a list with a row for each element.
  init<Element>(
    _ title: StyledText, _ elements: [Element], _ columns: [Column<Element>], total: Int? = nil,
    emptyText: String, span: Span = .card, minimumColumns: Int = 24, in glyphs: GlyphSet,
    row: (Element) -> Listing.Row
  ) {
    let listing = Listing(
      elements, columns, total: total, emptyText: emptyText, in: glyphs, row: row)
    self.init(title, .listing(listing), span: span, minimumColumns: minimumColumns)
  }
}
