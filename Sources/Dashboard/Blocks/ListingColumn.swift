import Screen

/// Column of a list: its appearance, its name for filters and sorts, and other texts that filters match.
struct ListingColumn: Hashable, Sendable {
  /// Column of the table; until `fit(to:in:)` is called, its widths are only limits.
  var drawn: TableColumn
  /// Name that filters and sorts use: `app_user` for the title `App user`; empty for bars.
  var field: String
  /// Name derived from the title, which filters accept too.
  let heading: String
  /// Zone and current time for comparisons of dates; `nil` if the column has no dates.
  private(set) var dates: DateCells?
  var meanings: [String: String] = [:]
  /// Whether the list contains the column; a column without content is left out.
  private(set) var isPresent = true

  private init(_ drawn: TableColumn) {
    self.drawn = drawn
    let words = drawn.title.prefix { $0 != "," }.filter { $0 != "'" }.lowercased().split {
      !$0.isLetter && !$0.isNumber
    }
    heading = drawn.isBar ? "" : words.joined(separator: "_")
    field = heading
  }

  func named(_ field: String) -> ListingColumn { altered(self) { $0.field = field } }

  func dated(_ formatter: DisplayFormatter) -> ListingColumn {
    altered(self) { $0.dates = DateCells(zone: formatter.zone, now: formatter.now) }
  }

  func meaning(_ meanings: [String: String]) -> ListingColumn { altered(self) { $0.meanings = meanings } }

  func present(_ isPresent: Bool) -> ListingColumn { altered(self) { $0.isPresent = isPresent } }

  /// Returns a copy that gets its maximum width before any column with a priority of 4 or higher is shown.
  func beforeDetails() -> ListingColumn { altered(self) { $0.drawn.isBeforeDetails = true } }

  /// Returns a column that is hidden, not cut, if it does not fit, because a part of a date would mislead.
  ///
  /// Cells wider than `most`, and a table's first column, are cut nevertheless.
  static func whole(
    _ title: String, most: Int = 48, align alignment: Alignment = .left, priority: Int = 0
  ) -> ListingColumn {
    ListingColumn(TableColumn(title, minimum: most, align: alignment, priority: priority))
  }

  static func number(_ title: String, most: Int = 48, priority: Int = 0) -> ListingColumn {
    whole(title, most: most, align: .right, priority: priority)
  }

  /// Returns a column that has room for an amount in one currency, but may cut amounts in several currencies.
  static func money(_ title: String, priority: Int = 0) -> ListingColumn {
    ListingColumn(TableColumn(title, minimum: 16, maximum: 48, align: .right, priority: priority))
  }

  static func bar(_ title: String = "") -> ListingColumn {
    ListingColumn(TableColumn(title, minimum: 16, maximum: 64, isBar: true))
  }

  static func name(
    _ title: String, least: Int = 16, most: Int = 120, priority: Int = 0, cut: TextCut = .end
  ) -> ListingColumn {
    ListingColumn(TableColumn(title, minimum: least, maximum: most, priority: priority, cut: cut))
  }

  /// Returns a column for ids, which are cut in the middle because their ends distinguish them.
  static func id(_ title: String, most: Int = 48, priority: Int = 0) -> ListingColumn {
    name(title, least: 16, most: most, priority: priority, cut: .middle)
  }

  static func product(
    _ title: String = "Product", of products: ProductNames, least: Int = 16, priority: Int = 1
  ) -> ListingColumn {
    name(title, least: least, priority: priority, cut: .middle).meaning(products.wholeIDs)
  }

  /// Limits the column's widths to the width of its longest cell, but to no less than the width of its title.
  mutating func fit(to cells: some Sequence<StyledText>, in glyphs: GlyphSet) {
    guard !drawn.isBar else { return }
    let title = TextWidth.of(drawn.title, in: glyphs)
    drawn.maximum = max(title, min(drawn.maximum, cells.lazy.map { $0.width(in: glyphs) }.max() ?? 0))
    drawn.minimum = min(drawn.minimum, drawn.maximum)
  }
}
