import Screen

/// A column of a list, before it is known how wide its cells are.
struct ListingColumn {
  let title: String
  /// Columns it may be squeezed to; nil is never cut: it goes as a whole.
  let least: Int?
  /// Columns that its cells have before a column of less worth is shown; nil is those of most names, and more where less than that column
  /// takes makes one more of them whole.
  var ordinary: Int?
  let most: Int
  let alignment: Alignment
  /// Who goes first where the room is narrow: the highest number.
  let priority: Int
  /// Whether its cells are the rows' bars, which grow with the room.
  var isBar = false
  var cut = TextCut.end
  /// What it is called where its title is not what one would type.
  var alias: String?
  /// Its title where that has no room.
  var shortTitle: String?
  /// What cells stand for besides, by what they show, which filters match as well.
  var meanings: [String: String] = [:]
  /// Whether any row has something in it, without which it is not there.
  private(set) var isPresent = true

  /// What filters and sorts call it: `app_user` under the title `App user`; empty for bars.
  var field: String {
    if let alias { return alias }
    guard !isBar else { return "" }
    let words = title.prefix { $0 != "," }.filter { $0 != "'" }.lowercased().split {
      !$0.isLetter && !$0.isNumber
    }
    return words.joined(separator: "_")
  }

  /// Columns that few names are longer than.
  private static let nameColumns = 24
  /// Of two names with an arrow between. A sentence that is longer leaves room for other columns; the foot has it whole.
  private static let changeColumns = 2 * nameColumns + 3

  /// Columns of a bar of full length where the room has no more.
  static let barColumns = 16

  /// For numbers, dates and marks, of which a part would say something else.
  static func whole(
    _ title: String, most: Int = 48, align alignment: Alignment = .left, priority: Int = 0
  ) -> ListingColumn {
    ListingColumn(title: title, least: nil, most: most, alignment: alignment, priority: priority)
  }

  static func number(_ title: String, most: Int = 48, priority: Int = 0) -> ListingColumn {
    whole(title, most: most, align: .right, priority: priority)
  }

  func named(_ alias: String) -> ListingColumn {
    var column = self
    column.alias = alias
    return column
  }

  /// - Parameter title: what it is called where its title has no room.
  func shortened(_ title: String) -> ListingColumn {
    var column = self
    column.shortTitle = title
    return column
  }

  /// - Parameter meanings: what cells stand for besides what they show, by that.
  func meaning(_ meanings: [String: String]) -> ListingColumn {
    var column = self
    column.meanings = meanings
    return column
  }

  func present(_ isPresent: Bool) -> ListingColumn {
    var column = self
    column.isPresent = isPresent
    return column
  }

  /// Where a customer shops.
  static func storefront(priority: Int) -> ListingColumn {
    whole("Store", priority: priority).named("storefront")
  }

  /// Each row's bar.
  static func bar(_ title: String = "") -> ListingColumn {
    var column = whole(title)
    column.isBar = true
    return column
  }

  /// For names, which are known by a part as well.
  static func name(
    _ title: String, least: Int = 10, ordinary: Int? = nil, most: Int = 120, priority: Int = 0
  ) -> ListingColumn {
    ListingColumn(
      title: title, least: least, ordinary: ordinary, most: most, alignment: .left, priority: priority)
  }

  /// For ids, of which the end is what tells them apart: cut in the middle, and never to less than can be told apart.
  static func id(
    _ title: String, ordinary: Int = nameColumns, most: Int = 48, priority: Int = 0
  ) -> ListingColumn {
    var column = name(title, least: 14, ordinary: ordinary, most: most, priority: priority)
    column.cut = .middle
    return column
  }

  /// For names whose last part tells them apart.
  static func middle(_ title: String, least: Int, ordinary: Int? = nil, priority: Int) -> ListingColumn {
    var column = name(title, least: least, ordinary: ordinary, priority: priority)
    column.cut = .middle
    return column
  }

  /// For product ids, whose last part tells them apart.
  static func product(
    _ title: String = "Product", of products: ProductNames, least: Int = 12, ordinary: Int? = nil,
    priority: Int = 1
  ) -> ListingColumn {
    middle(title, least: least, ordinary: ordinary, priority: priority).meaning(products.wholeIDs)
  }

  /// As wide as what stands in it.
  ///
  /// - Parameter least: columns of its cells in the forms that take the fewest; nil where they have no others.
  func fitted(to cells: some Sequence<StyledText>, least narrowest: Int?, in glyphs: GlyphSet) -> TableColumn
  {
    let named = TextWidth.of(title, in: glyphs)
    let enough = ordinary ?? Self.nameColumns
    var widest = 0
    var wholes: Set<Int> = []
    for cell in cells {
      let width = cell.width(in: glyphs)
      widest = max(widest, width)
      let isName = least != nil && ordinary == nil
      if isName, width > enough, width <= min(most, Self.changeColumns) { wholes.insert(width) }
    }
    let ideal = max(named, isBar ? Self.barColumns : min(widest, most))
    let squeezed = max(shortTitle.map { TextWidth.of($0, in: glyphs) } ?? named, narrowest ?? widest)
    let minimum = min(least ?? (isBar ? ideal : squeezed), ideal)
    return TableColumn(
      title, short: shortTitle, minimum: minimum,
      preferred: least == nil ? minimum : max(minimum, min(enough, ideal)), ideal: ideal,
      wholes: wholes.sorted(), align: alignment, priority: priority, cut: cut)
  }
}
