import Screen
import Subscriptions

extension State {
  mutating func suggest(_ text: String) -> [Effect] {
    let typed = text.trimmingSpaces
    guard !typed.isEmpty else {
      suggestions = nil
      pending.drop(.suggestions)
      return []
    }
    // Older suggestions are replaced at once; ids follow when the store answers.
    let known = Suggestions.Entry.known(typed, products: products).prefix(6)
    suggestions = Suggestions(text: typed, known: Array(known), ids: nil)
    return [.suggest(typed, serial: pending.ask(.suggestions))]
  }

  mutating func take(_ ids: IDSuggestions, serial: Int) {
    guard pending.take(.suggestions, serial) else { return }
    suggestions?.take(ids)
  }

  /// Handles a key that selects a suggestion. Returns whether it was one.
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

  /// Opens the selected suggestion, or else an exact match, or else the nearest one.
  mutating func openFound(_ text: String) -> [Effect] {
    let shown = suggestions.flatMap { $0.text == text ? $0 : nil }
    prompt = nil
    suggestions = nil
    pending.drop(.suggestions)
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

  mutating func show(product id: ProductID) -> [Effect] {
    product = id
    say("\(id) alone; Esc shows every product again.")
    return layers.isEmpty ? refresh() : show(tab)
  }

  /// Shows the outcome of an offer over the whole history. The window and filter before are restored later.
  mutating func show(offer: String) -> [Effect] {
    let effects = show(.panel(.offers))
    var arrangement = arrangement(of: .panel(.offers))
    var visit = visitedOffer ?? VisitedOffer(days: chosenDays, filterBefore: arrangement.filter)
    chosenDays = nil
    arrangement.filter = "offer=\"\(offer.filter { $0 != "\"" })\""
    arrangements[.panel(.offers)] = arrangement
    visit.filter = arrangement.filter
    visit.words = "\(offer), of all that is known; Esc shows every offer again."
    visitedOffer = visit
    say(visit.words)
    return effects + refreshAtOnce()
  }

  /// Restores window and filter if another tab opens.
  mutating func leaveOffer(for tab: Tab) {
    guard let visit = visitedOffer, tab != .panel(.offers) else { return }
    var arrangement = arrangement(of: .panel(.offers))
    arrangement.filter = visit.filterBefore
    arrangements[.panel(.offers)] = arrangement.isEmpty ? nil : arrangement
    chosenDays = visit.days
    forgetOffer()
  }

  /// Restores the window if the user has changed the filter.
  mutating func leaveOfferFiltered() -> [Effect] {
    guard let visit = visitedOffer, arrangement(of: .panel(.offers)).filter != visit.filter else { return [] }
    chosenDays = visit.days
    forgetOffer()
    return refreshAtOnce()
  }

  mutating func forgetOffer() {
    if let visit = visitedOffer, notice?.toast.text == visit.words { notice = nil }
    visitedOffer = nil
  }

  mutating func showRows(of figure: String, _ panel: Panel) -> [Effect] {
    show(.panel(panel))
      + askRows(RowsView.Subject(panel: panel, figures: [figure], index: 0), .open)
  }
}

/// Window and filter to restore after the visit of an offer that was found by a search.
struct VisitedOffer: Hashable, Sendable {
  /// Window in days; `nil` is the whole history.
  let days: Int?
  let filterBefore: String
  var filter = ""
  var words = ""
}
