import Subscriptions

/// Suggestions for a search text: ids, products and figures.
struct Suggestions: Hashable, Sendable {
  enum Entry: Hashable, Sendable {
    case id(IDSuggestion)
    case product(ProductID)
    case figure(Panel, String)
  }

  /// Entry with its distance from the text, see `SearchText.nearness`.
  struct Ranked: Hashable, Sendable {
    var entry: Entry
    var nearness: Int
  }

  var text: String
  var known: [Ranked]
  /// `nil` until the store has answered.
  var ids: IDSuggestions?
  var selected: Int?

  /// Entries, nearest first. Equal ones are sorted by kind: offers and products, other ids, figures.
  var entries: [Entry] {
    let searched = SearchText(text)
    let found = (ids?.found ?? []).map { Ranked(entry: .id($0), nearness: searched.nearness(to: $0.id) ?? 4) }
    return (found + known).enumerated().sorted { left, right in
      let (one, other) = (left.element, right.element)
      return (one.nearness, one.entry.order, left.offset) < (other.nearness, other.entry.order, right.offset)
    }.map(\.element.entry)
  }

  var chosen: Entry? { selected.flatMap { entries.indices.contains($0) ? entries[$0] : nil } }

  func called(_ text: String, products: ProductNames) -> Entry? {
    ids?.found.first { $0.id == text }.map(Entry.id)
      ?? Entry.known(text, products: products, isExact: true).first?.entry
  }

  /// Nearest entry; `nil` until the store has answered, which may have a nearer one.
  var nearest: Entry? { ids == nil ? nil : entries.first }

  /// Progress of the search, or what Enter opens.
  func note(isLooking: Bool, in formatter: DisplayFormatter) -> String {
    guard let ids else { return isLooking ? "looking" : "" }
    guard ids.isComplete else { return "not every id was looked at: type more of it" }
    guard selected == nil, let nearest else { return "" }
    return "Enter opens \(nearest.words(in: formatter).text)"
  }

  /// Adds the ids from the store and keeps the selection.
  mutating func take(_ ids: IDSuggestions) {
    let chosen = chosen
    self.ids = ids
    selected = chosen.flatMap { entries.firstIndex(of: $0) }
  }
}

extension Suggestions.Entry {
  /// Returns figures and products that match a text, nearest first.
  ///
  /// - Parameter isExact: Whether to return exact matches only.
  static func known(
    _ text: String, products: ProductNames, isExact: Bool = false
  ) -> [Suggestions.Ranked] {
    let searched = SearchText(text)
    guard !searched.isEmpty else { return [] }
    let named = products.known.map { (Self.product($0), [products.name(of: $0), $0.rawValue]) }
    return (named + figures).enumerated().compactMap { place, entry -> (Self, Int, Int)? in
      let near = entry.1.compactMap { searched.nearness(to: $0) }.min() ?? 4
      // Scattered letters match most names, so such matches are left out.
      return near < (isExact ? 1 : 3) ? (entry.0, near, place) : nil
    }.sorted { ($0.1, $0.2) < ($1.1, $1.2) }.map { Suggestions.Ranked(entry: $0.0, nearness: $0.1) }
  }

  private static let figures: [(Self, [String])] = Tab.panels.filter { $0 != .overview }.flatMap { panel in
    panel.figures.compactMap { figure in
      figure.words.map {
        (Self.figure(panel, figure.path), [$0, figure.path, figure.path.replacing("_", with: " ")])
      }
    }
  }

  fileprivate var order: Int {
    switch self {
    case .id(let suggestion) where suggestion.kind == .offer: 0
    case .product: 1
    case .id: 2
    case .figure: 3
    }
  }

  func words(in formatter: DisplayFormatter) -> (text: String, what: String) {
    switch self {
    case .id(let suggestion): (suggestion.id, suggestion.kind.words)
    case .product(let id): (formatter.products.name(of: id), "product alone")
    case .figure(let panel, let path): (FigureWords(path, of: panel).name, "rows of \(panel.title)")
    }
  }
}

extension IDSuggestion.Kind {
  var words: String {
    switch self {
    case .appUser: "app user"
    case .originalTransaction: "original transaction"
    case .transaction: "transaction"
    case .order: "order line"
    case .accountToken: "account token"
    case .appTransaction: "app transaction"
    case .offer: "offer"
    }
  }
}
