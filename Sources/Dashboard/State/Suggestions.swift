import Screen
import Subscriptions

/// Possible meaning of a typed text, with its command.
package struct Choice: Hashable, Sendable {
  package let line: String
  var what: String
  package var command: Command?
  var keys = ""
  /// Other names that a search finds.
  var names: [String] = []
  /// Distance from the typed text; 0 is an exact match.
  var nearness = 0
}

/// Suggestions for a search text: ids, offers, products, tabs and figures.
struct Suggestions: Hashable, Sendable {
  var text: String
  var known: [Choice]
  /// Matching ids and offers; `nil` until the store has answered.
  var ids: IDSuggestions?
  var selected: Int?

  /// Choices by distance from the typed text, then in the order offers, products, ids, tabs, figures.
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

  /// Nearest choice; `nil` until the store has answered, because an id may be nearer.
  var nearest: Choice? { ids == nil ? nil : choices.first }

  /// Returns the text below the choices: the progress of the search, or the choice that Enter opens.
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
    self.init(line: found.id, what: found.kind.rawValue, command: command, nearness: nearness)
  }

  /// Returns tabs, figures and products whose names match a text, or equal it if `isExact`, nearest first.
  static func known(_ text: String, products: ProductNames, isExact: Bool = false) -> [Choice] {
    let searched = SearchText(text)
    guard !searched.isEmpty else { return [] }
    let named = products.known.map {
      let name = products.name(of: $0)
      return Choice(line: name, what: "only this product", command: .product($0), names: [$0.rawValue])
    }
    var seen: Set<Command?> = []
    return (named + onTheScreen).map { choice in
      altered(choice) { $0.nearness = $0.nearness(to: searched, text) }
    }
    .filter { $0.nearness <= (isExact ? 0 : 3) }
    .sorted { ($0.nearness, $0.order, $0.line.count) < ($1.nearness, $1.order, $1.line.count) }
    .filter { seen.insert($0.command).inserted }
  }

  /// Returns the distance of the nearest name from the text.
  ///
  /// It is 0 for an equal name, 1 for a name that begins with the text, 2 if words of the name begin with the
  /// words of the text, 3 for a name that contains the text, else 4. Scattered letters count as 4, because
  /// they match most names.
  private func nearness(to searched: SearchText, _ text: String) -> Int {
    let words = Self.words(text)
    return ([line] + names).map { name in
      let near = searched.nearness(to: name) ?? 4
      let parts = Self.words(name)
      let isOfWords = words.allSatisfy { word in parts.contains { $0.hasPrefix(word) } }
      if near > 1, !words.isEmpty, isOfWords { return 2 }
      return near < 2 ? near : min(near + 1, 4)
    }.min() ?? 4
  }

  private static func words(_ text: String) -> [Substring] {
    text.lowercased().split { !$0.isLetter && !$0.isNumber }
  }

  fileprivate var order: Int {
    switch command {
    case .findOffer: 0
    case .product: 1
    case .findID: 2
    case .show where what == "tab": 3
    default: 4
    }
  }
}
