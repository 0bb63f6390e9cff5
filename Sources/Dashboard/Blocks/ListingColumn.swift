import Screen
import Subscriptions

/// A list's column: how it is drawn, and the name and meanings that filters and sorts use.
struct ListingColumn: Hashable, Sendable {
  /// Its widths are limits until `fit(to:in:)`.
  var drawn: TableColumn
  /// Name that filters and sorts use: `app_user` for the title `App user`; empty for bars.
  var field: String
  /// Longer meanings of cells by their visible text, for filters.
  var meanings: [String: String] = [:]
  /// Whether any row has content in it. The column is left out otherwise.
  private(set) var isPresent = true

  private init(_ drawn: TableColumn) {
    self.drawn = drawn
    let words = drawn.title.prefix { $0 != "," }.filter { $0 != "'" }.lowercased().split {
      !$0.isLetter && !$0.isNumber
    }
    field = drawn.isBar ? "" : words.joined(separator: "_")
  }

  func named(_ field: String) -> ListingColumn { altered(self) { $0.field = field } }

  func meaning(_ meanings: [String: String]) -> ListingColumn { altered(self) { $0.meanings = meanings } }

  func present(_ isPresent: Bool) -> ListingColumn { altered(self) { $0.isPresent = isPresent } }

  /// Returns a column that is not cut while less important columns of details are shown.
  func beforeDetails() -> ListingColumn { altered(self) { $0.drawn.isBeforeDetails = true } }

  /// Returns a column that is never cut, for numbers, dates and marks, which would be wrong if cut.
  static func whole(
    _ title: String, most: Int = 48, align alignment: Alignment = .left, priority: Int = 0
  ) -> ListingColumn {
    ListingColumn(TableColumn(title, minimum: most, align: alignment, priority: priority))
  }

  static func number(_ title: String, most: Int = 48, priority: Int = 0) -> ListingColumn {
    whole(title, most: most, align: .right, priority: priority)
  }

  /// Returns a column of amounts. One of a single currency fits; the amounts of several may be cut.
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

  /// Returns a column for ids. They are cut in the middle, because their ends distinguish them, and only to a
  /// width that still identifies them.
  static func id(_ title: String, most: Int = 48, priority: Int = 0) -> ListingColumn {
    name(title, least: 16, most: most, priority: priority, cut: .middle)
  }

  static func product(
    _ title: String = "Product", of products: ProductNames, least: Int = 16, priority: Int = 1
  ) -> ListingColumn {
    name(title, least: least, priority: priority, cut: .middle).meaning(products.wholeIDs)
  }

  /// Limits the widths to the longest cell and the title.
  mutating func fit(to cells: some Sequence<StyledText>, in glyphs: GlyphSet) {
    guard !drawn.isBar else { return }
    let title = TextWidth.of(drawn.title, in: glyphs)
    drawn.maximum = max(title, min(drawn.maximum, cells.lazy.map { $0.width(in: glyphs) }.max() ?? 0))
    drawn.minimum = min(drawn.minimum, drawn.maximum)
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
