import Screen
import Subscriptions

/// Description of a list's column, before the widths of its cells are known.
struct ListingColumn {
  let title: String
  /// Minimum width of a cut cell. `nil` never cuts cells; the column is hidden instead.
  let least: Int?
  /// Width of its cells before a less important column is shown.
  ///
  /// If `nil`, it is the width of most names, and more if the addition is smaller than the less important
  /// column and makes one more name fit.
  var ordinary: Int?
  let most: Int
  let alignment: Alignment
  /// Order of hiding on narrow screens: the highest number is hidden first.
  let priority: Int
  var isBar = false
  var cut = TextCut.end
  /// Field name, if it differs from the one derived from the title.
  var alias: String?
  var shortTitle: String?
  /// Longer meanings of cells by their visible text, for filters.
  var meanings: [String: String] = [:]
  /// Whether any row has content in it. The column is left out otherwise.
  private(set) var isPresent = true

  /// Name that filters and sorts use: `app_user` for the title `App user`; empty for bars.
  var field: String {
    if let alias { return alias }
    guard !isBar else { return "" }
    let words = title.prefix { $0 != "," }.filter { $0 != "'" }.lowercased().split {
      !$0.isLetter && !$0.isNumber
    }
    return words.joined(separator: "_")
  }

  private static let nameColumns = 24
  /// Width of two names with an arrow between them. A longer sentence leaves the width to other columns; the
  /// lower edge shows it in full.
  private static let changeColumns = 2 * nameColumns + 3

  static let barColumns = 16

  /// Returns a column that is never cut, for numbers, dates and marks, which would be wrong if cut.
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

  func shortened(_ title: String) -> ListingColumn {
    var column = self
    column.shortTitle = title
    return column
  }

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

  static func storefront(priority: Int) -> ListingColumn {
    whole("Store", priority: priority).named("storefront")
  }

  static func bar(_ title: String = "") -> ListingColumn {
    var column = whole(title)
    column.isBar = true
    return column
  }

  static func name(
    _ title: String, least: Int = 10, ordinary: Int? = nil, most: Int = 120, priority: Int = 0
  ) -> ListingColumn {
    ListingColumn(
      title: title, least: least, ordinary: ordinary, most: most, alignment: .left, priority: priority)
  }

  /// Returns a column for ids. They are cut in the middle, because their ends distinguish them, and only to a
  /// width that still identifies them.
  static func id(
    _ title: String, ordinary: Int = nameColumns, most: Int = 48, priority: Int = 0
  ) -> ListingColumn {
    var column = name(title, least: 14, ordinary: ordinary, most: most, priority: priority)
    column.cut = .middle
    return column
  }

  static func middle(_ title: String, least: Int, ordinary: Int? = nil, priority: Int) -> ListingColumn {
    var column = name(title, least: least, ordinary: ordinary, priority: priority)
    column.cut = .middle
    return column
  }

  static func product(
    _ title: String = "Product", of products: ProductNames, least: Int = 12, ordinary: Int? = nil,
    priority: Int = 1
  ) -> ListingColumn {
    middle(title, least: least, ordinary: ordinary, priority: priority).meaning(products.wholeIDs)
  }

  /// Returns the column with the widths of its cells.
  ///
  /// - Parameter least: Width of the widest cell in its shortest form; `nil` if the cells have a single form.
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

/// Value that a cell is sorted and filtered by. It is parsed from the visible text, so that the order always
/// matches what is shown.
package struct CellValue: Hashable, Sendable {
  /// Currency of an amount; empty for other numbers.
  let currency: String
  /// `nil` if the cell is not a number. Ages are in days, negative in the future; shares are in percent.
  let number: Double?
  let text: String

  package init(_ text: String) {
    self.text = text.lowercased()
    // Converted amounts start with a mark.
    let words = text.split(separator: " ").drop { String($0) == GlyphSet.unicode.about }.map(\.self)
    let isAmount = words.count > 1 && words[0].count == 3 && words[0].allSatisfy(\.isUppercase)
    let (isToCome, isLater) = (words.first == "in", words.last == "later")
    let rest = isAmount || isToCome || words.first == "within" ? words.dropFirst() : words[...]
    currency = isAmount ? String(words[0]) : ""
    guard let first = rest.first, let (number, unit) = Self.number(first) else {
      number = nil
      return
    }
    let named = unit.isEmpty ? rest.dropFirst().first.map(String.init) ?? "" : unit
    self.number = number * (Self.units[named] ?? 1) * (isToCome || isLater ? -1 : 1)
  }

  init(_ money: Money) {
    (currency, text) = (money.currency.rawValue, MoneyText.of(money))
    number = Double(money.micros) / 1_000_000
  }

  private static func number(_ word: Substring) -> (Double, unit: String)? {
    let digits = word.prefix { $0.isASCII && ($0.isNumber || "+-.,".contains($0)) }
    guard let number = Double(digits.filter { $0 != "," }) else { return nil }
    let unit = String(word.dropFirst(digits.count))
    // A date or an id that begins with digits is not a number.
    return unit.isEmpty || units[unit] != nil ? (number, unit) : nil
  }

  /// Factors to days. Percentages are unchanged.
  private static let units: [String: Double] = [
    "%": 1, "ms": 1 / 86_400_000, "s": 1 / 86_400, "min": 1 / 1440, "h": 1 / 24, "d": 1, "mo": 30, "y": 365,
  ]
}

extension CellValue {
  /// Whether the cell has no value. Missing values sort last in either direction.
  package var isMissing: Bool { ["", "-", "\u{2013}", "unknown", "none"].contains(text) }
}

extension CellValue: Comparable {
  /// Orders amounts by currency, and numbers before words.
  package static func < (left: Self, right: Self) -> Bool {
    switch (left.number, right.number) {
    case (let one?, let other?):
      left.currency == right.currency ? one < other : left.currency < right.currency
    case (_?, nil): true
    case (nil, _?): false
    case (nil, nil): left.text < right.text
    }
  }
}

/// Content that blocks of a row get space for, the most important first.
enum LayoutNeed: CaseIterable {
  case numbers, names, changes, courses
}
