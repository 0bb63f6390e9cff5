import Subscriptions

/// What somebody who looks for something may mean by what was typed so far.
struct Suggestions: Hashable, Sendable {
  enum Entry: Hashable, Sendable {
    case id(IDSuggestion)
    case product(ProductID)
    case figure(Panel, String)
  }

  /// One of them, and how near it comes to what was typed: `SearchText.nearness`.
  struct Ranked: Hashable, Sendable {
    var entry: Entry
    var nearness: Int
  }

  /// What was typed.
  var text: String
  /// Figures and products, which are known here.
  var known: [Ranked]
  /// Nil until the store has told them.
  var ids: IDSuggestions?
  /// The one that was chosen.
  var selected: Int?

  /// The nearest first; of what is equally near, names before ids, of which there are so many, and these before figures.
  var entries: [Entry] {
    let searched = SearchText(text)
    let found = (ids?.found ?? []).map { Ranked(entry: .id($0), nearness: searched.nearness(to: $0.id) ?? 4) }
    return (found + known).enumerated().sorted { left, right in
      let (one, other) = (left.element, right.element)
      return (one.nearness, one.entry.order, left.offset) < (other.nearness, other.entry.order, right.offset)
    }.map(\.element.entry)
  }

  /// What was chosen.
  var chosen: Entry? { selected.flatMap { entries.indices.contains($0) ? entries[$0] : nil } }

  /// What is called just what was typed.
  func called(_ text: String, products: ProductNames) -> Entry? {
    ids?.found.first { $0.id == text }.map(Entry.id)
      ?? Entry.known(text, products: products, isExact: true).first?.entry
  }

  /// What Enter opens where nothing was chosen; nil until the store has told, which may know something nearer.
  var nearest: Entry? { ids == nil ? nil : entries.first }

  /// Takes in what the store has told. Somebody who has chosen among what was there keeps that.
  mutating func take(_ ids: IDSuggestions) {
    let chosen = chosen
    self.ids = ids
    selected = chosen.flatMap { entries.firstIndex(of: $0) }
  }
}

extension Suggestions.Entry {
  /// Figures and products that a text names, the nearest first.
  ///
  /// - Parameter isExact: those alone that are called just that.
  static func known(
    _ text: String, products: ProductNames, isExact: Bool = false
  ) -> [Suggestions.Ranked] {
    let searched = SearchText(text)
    guard !searched.isEmpty else { return [] }
    let named = products.known.map { (Self.product($0), [products.name(of: $0), $0.rawValue]) }
    return (named + figures).enumerated().compactMap { place, entry -> (Self, Int, Int)? in
      let near = entry.1.compactMap { searched.nearness(to: $0) }.min() ?? 4
      // Letters with others between them are in most names.
      return near < (isExact ? 1 : 3) ? (entry.0, near, place) : nil
    }.sorted { ($0.1, $0.2) < ($1.1, $1.2) }.map { Suggestions.Ranked(entry: $0.0, nearness: $0.1) }
  }

  /// Every figure that has words of its own, and its names.
  private static let figures: [(Self, [String])] = Tab.panels.filter { $0 != .overview }.flatMap { panel in
    panel.figures.compactMap { figure in
      figure.words.map {
        (Self.figure(panel, figure.path), [$0, figure.path, figure.path.replacing("_", with: " ")])
      }
    }
  }

  /// Of what is equally near.
  fileprivate var order: Int {
    switch self {
    case .id(let suggestion) where suggestion.kind == .offer: 0
    case .product: 1
    case .id: 2
    case .figure: 3
    }
  }

  /// The text, and what it is.
  func words(in wording: Wording) -> (text: String, what: String) {
    switch self {
    case .id(let suggestion): (suggestion.id, suggestion.kind.words)
    case .product(let id): (wording.products.name(of: id), "product alone")
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
