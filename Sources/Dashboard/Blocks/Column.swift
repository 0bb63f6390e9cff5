import Screen
import Subscriptions

/// Column of a list, with the function that makes the cell of an element.
struct Column<Element> {
  var drawn: ListingColumn
  /// Returns another text for an element's cell that filters also match, such as the word in the JSON.
  let code: ((Element) -> String?)?
  private(set) var bar: ((Element) -> RowBar?)?
  /// Returns the cell of an element; `nil` is drawn as a dash.
  let cell: (Element) -> StyledText?
  /// Whether to hide the column and show its value in the title if all rows of a complete list share it.
  private(set) var isLeftOutIfAlike = false
  /// Whether the column is left out if `cell` is `nil` for all elements.
  private(set) var isOptional = false

  init(
    _ drawn: ListingColumn, code: ((Element) -> String?)? = nil, cell: @escaping (Element) -> StyledText?
  ) {
    (self.drawn, self.code, self.cell) = (drawn, code, cell)
  }

  func named(_ field: String) -> Column { altered(self) { $0.drawn.field = field } }

  func leftOutIfAlike() -> Column { altered(self) { $0.isLeftOutIfAlike = true } }

  func optional() -> Column { altered(self) { $0.isOptional = true } }

  static func count(
    _ title: String, _ style: Style = .text, priority: Int = 0, _ number: @escaping (Element) -> Int
  ) -> Column {
    Column(.number(title, priority: priority)) { .number(number($0), style) }
  }

  static func minute(
    _ drawn: ListingColumn, in formatter: DisplayFormatter, _ instant: @escaping (Element) -> Instant?
  ) -> Column {
    Column(drawn.dated(formatter)) { instant($0).map { StyledText(formatter.minute($0), .dim) } }
  }

  static func bar(_ title: String = "", _ bar: @escaping (Element) -> RowBar?) -> Column {
    altered(Column(.bar(title)) { _ in "" }) { $0.bar = bar }
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
    priority: Int, _ storefront: @escaping (Element) -> StorefrontCode?
  ) -> Column {
    Column(.whole("Store", priority: priority).named("storefront")) { element in
      storefront(element).map { StyledText($0.rawValue) }
    }.optional()
  }

  static func converted(
    to reporting: CurrencyCode?, in glyphs: GlyphSet, _ amount: @escaping (Element) -> Money?
  ) -> Column {
    let title = "\(glyphs.about) \(reporting?.rawValue ?? "")"
    return Column(.number(title, priority: 1).named("converted")) { element in
      amount(element).map { StyledText(MoneyText.of($0), .money) }
    }.optional()
  }

  static func user(priority: Int, _ user: @escaping (Element) -> AppUserID?) -> Column {
    Column(.id("App user", most: 36, priority: priority)) { element in
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
  /// Creates a list with a row for each element.
  ///
  /// `row` returns an element's row without cells and bar, which `columns` fill in.
  init<Element>(
    _ elements: [Element], _ columns: [Column<Element>], total: Int? = nil, emptyText: String,
    records: ListRecords = .cells, in glyphs: GlyphSet, row: (Element) -> Row
  ) {
    let cells = columns.map { column in elements.map { column.drawn.isPresent ? column.cell($0) : nil } }
    let drawn = zip(columns, cells).map { column, cells in
      let isPresent = column.drawn.isPresent && !(column.isOptional && !cells.contains { $0 != nil })
      let meanings = zip(cells, elements).compactMap { cell, element -> (String, String)? in
        guard let text = cell?.text, let code = column.code?(element), code != text else { return nil }
        return (text, code)
      }
      let drawn = column.drawn.present(isPresent)
      return meanings.isEmpty
        ? drawn : drawn.meaning(Dictionary(meanings, uniquingKeysWith: { one, _ in one }))
    }
    let bar = columns.lazy.compactMap(\.bar).first
    let rows = elements.enumerated().map { place, element in
      altered(row(element)) {
        $0.cells = cells.map { $0[place] ?? .dash(in: glyphs) }
        $0.bar = bar?(element)
      }
    }
    self.init(drawn, rows, total: total, emptyText: emptyText, records: records, in: glyphs)
    // An incomplete list keeps columns of equal values, because the rows that were not read may have others.
    if self.total == nil { leaveOutShared(Set(columns.filter(\.isLeftOutIfAlike).map(\.drawn.field))) }
  }
}

extension Block {
  init<Element>(
    _ title: StyledText, _ elements: [Element], _ columns: [Column<Element>], total: Int? = nil,
    emptyText: String, span: Span = .card, minimumColumns: Int = 24, records: ListRecords = .cells,
    in glyphs: GlyphSet, row: (Element) -> Listing.Row
  ) {
    let listing = Listing(
      elements, columns, total: total, emptyText: emptyText, records: records, in: glyphs, row: row)
    self.init(title, .listing(listing), span: span, minimumColumns: minimumColumns)
  }
}
