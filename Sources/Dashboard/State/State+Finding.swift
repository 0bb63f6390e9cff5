import Screen
import Subscriptions

/// Looking for something by a part of what it is called.
extension State {
  /// Asks what is meant by what is typed by now.
  mutating func suggest(_ text: String) -> [Effect] {
    let typed = text.trimmingSpaces
    guard !typed.isEmpty else {
      suggestions = nil
      pending.suggestions = nil
      return []
    }
    // What came for the text before stays until the store has told what belongs to this one.
    let known = Suggestions.Entry.known(typed, products: products).prefix(6)
    suggestions = Suggestions(text: typed, known: Array(known), ids: nil)
    let serial = pending.nextSerial()
    pending.suggestions = serial
    return [.suggest(typed, serial: serial)]
  }

  mutating func take(_ ids: IDSuggestions, serial: Int) {
    guard pending.suggestions == serial else { return }
    pending.suggestions = nil
    // Somebody who has chosen among what was there keeps that.
    if let selected = suggestions?.selected { suggestions?.selected = selected + ids.found.count }
    suggestions?.ids = ids
  }

  /// - Returns: whether it was a key that chooses.
  mutating func pressInSuggestions(_ key: Key) -> Bool {
    guard let shown = suggestions, !shown.entries.isEmpty else { return false }
    let last = shown.entries.count - 1
    switch key {
    case .down, .tab, .control("n"):
      suggestions?.selected = shown.selected.map { $0 == last ? 0 : $0 + 1 } ?? 0
    case .up, .backTab, .control("p"):
      suggestions?.selected = shown.selected.map { $0 == 0 ? last : $0 - 1 } ?? last
    default: return false
    }
    return true
  }

  /// Opens what is meant by what was typed: what was chosen, what is called just that, or else what comes nearest.
  mutating func openFound(_ text: String) -> [Effect] {
    let shown = suggestions.flatMap { $0.text == text ? $0 : nil }
    prompt = nil
    suggestions = nil
    pending.suggestions = nil
    if let meant = shown?.chosen ?? shown?.called(text, products: products) ?? shown?.nearest {
      return open(meant)
    }
    return text.isEmpty ? [] : find(.id(text), .open)
  }

  mutating func open(_ entry: Suggestions.Entry) -> [Effect] {
    switch entry {
    case .id(let suggestion) where suggestion.kind == .offer: return show(offer: suggestion.id)
    case .id(let suggestion): return find(.id(suggestion.id), .open)
    case .product(let id): return show(product: id)
    case .figure(let panel, let path): return showRows(of: path, panel)
    }
  }

  /// One product alone.
  mutating func show(product id: ProductID) -> [Effect] {
    product = id
    say("\(id) alone; Esc shows every product again.")
    return layers.isEmpty ? refresh() : show(tab)
  }

  /// What became of an offer, since it began.
  mutating func show(offer: String) -> [Effect] {
    let effects = show(.panel(.offers))
    chosenDays = nil
    var arrangement = arrangement(of: .panel(.offers))
    arrangement.filter = "offer=\"\(offer.filter { $0 != "\"" })\""
    arrangements[.panel(.offers)] = arrangement
    say("\(offer), of all that is known; Esc shows every offer again.")
    return effects + refreshAtOnce()
  }

  /// The rows of a figure, over its panel.
  mutating func showRows(of figure: String, _ panel: Panel) -> [Effect] {
    show(.panel(panel))
      + askRows(RowsView.Subject(panel: panel, figures: [figure], index: 0), .open)
  }
}
