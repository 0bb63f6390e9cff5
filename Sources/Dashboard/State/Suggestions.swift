import Screen
import Subscriptions

/// Something that a typed text may mean, and the command for it.
package struct Choice: Hashable, Sendable {
  package let line: String
  let what: String
  package var command: Command?
  var keys = ""
  /// Distance from the text, see `SearchText.nearness`.
  var nearness = 0
}

/// Suggestions for a search text: ids, products and figures.
struct Suggestions: Hashable, Sendable {
  var text: String
  var known: [Choice]
  /// `nil` until the store has answered.
  var ids: IDSuggestions?
  var selected: Int?

  /// Choices, nearest first. Equal ones are sorted by kind: offers and products, other ids, figures.
  var choices: [Choice] {
    let searched = SearchText(text)
    let found = (ids?.found ?? []).map { Choice($0, searched.nearness(to: $0.id) ?? 4) }
    return (found + known).sorted { ($0.nearness, $0.order) < ($1.nearness, $1.order) }
  }

  var chosen: Choice? { selected.flatMap { choices.indices.contains($0) ? choices[$0] : nil } }

  func called(_ text: String, products: ProductNames) -> Choice? {
    ids?.found.first { $0.id == text }.map { Choice($0, 0) }
      ?? Choice.known(text, products: products, isExact: true).first
  }

  /// Nearest choice; `nil` until the store has answered, which may have a nearer one.
  var nearest: Choice? { ids == nil ? nil : choices.first }

  /// Progress of the search, or what Enter opens.
  func note(isLooking: Bool) -> String {
    guard let ids else { return isLooking ? "searching" : "" }
    guard ids.isComplete else { return "not all ids were searched: keep typing" }
    guard selected == nil, let nearest else { return "" }
    return "Enter opens \(nearest.line)"
  }

  mutating func take(_ ids: IDSuggestions) {
    let chosen = chosen
    self.ids = ids
    selected = chosen.flatMap { choices.firstIndex(of: $0) }
  }

  /// Handles a key that selects a choice. Returns whether it was one.
  mutating func press(_ key: Key) -> Bool {
    let last = choices.count - 1
    guard last >= 0 else { return false }
    switch key {
    case .down, .tab, .control("n"): selected = selected.map { $0 == last ? 0 : $0 + 1 } ?? 0
    case .up, .backTab, .control("p"): selected = selected.map { $0 == 0 ? last : $0 - 1 } ?? last
    default: return false
    }
    return true
  }
}

extension Choice {
  fileprivate init(_ found: IDSuggestion, _ nearness: Int) {
    let command = found.kind == .offer ? Command.findOffer(found.id) : .findID(found.id)
    self.init(line: found.id, what: found.kind.words, command: command, nearness: nearness)
  }

  /// Returns figures and products that match a text, nearest first.
  ///
  /// - Parameter isExact: Whether to return exact matches only.
  static func known(_ text: String, products: ProductNames, isExact: Bool = false) -> [Choice] {
    let searched = SearchText(text)
    guard !searched.isEmpty else { return [] }
    let named = products.known.map { id in
      let name = products.name(of: id)
      return (Choice(line: name, what: "only this product", command: .product(id)), [name, id.rawValue])
    }
    return (named + figures).compactMap { choice, names in
      var choice = choice
      choice.nearness = names.compactMap { searched.nearness(to: $0) }.min() ?? 4
      // Scattered letters match most names, so such matches are left out.
      return choice.nearness < (isExact ? 1 : 3) ? choice : nil
    }.sorted { $0.nearness < $1.nearness }
  }

  private static let figures: [(Choice, [String])] = Tab.panels.filter { $0 != .overview }.flatMap { panel in
    panel.figures.compactMap { figure in
      figure.words.map { words in
        let choice = Choice(
          line: FigureWords(figure.path, of: panel).name, what: "rows of \(panel.title)",
          command: .figure(panel, figure.path))
        return (choice, [words, figure.path, figure.path.replacing("_", with: " ")])
      }
    }
  }

  fileprivate var order: Int {
    switch command {
    case .findOffer: 0
    case .product: 1
    case .findID: 2
    default: 3
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
