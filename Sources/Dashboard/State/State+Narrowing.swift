import Screen
import Subscriptions

extension State {
  /// Opens the list of products; on panels with storefronts, also queries storefronts and offers for it.
  mutating func pickProduct() -> [Effect] {
    guard !products.known.isEmpty || panel?.hasStorefronts == true else {
      return say("No product is known yet.")
    }
    push(.products, [choiceBlock])
    let chosen = chosenRow
    cursor?.select(chosen)
    settle()
    return panel?.hasStorefronts == true ? askOrigins() : []
  }

  mutating func askOrigins() -> [Effect] {
    [.loadOrigins(serial: pending.ask(.origins))]
  }

  mutating func take(_ origins: [CohortOrigin], serial: Int) {
    guard pending.take(.origins, serial) != nil else { return }
    let new = NarrowingChoices(origins)
    guard new != choices else { return }
    choices = new
    switch (top, panel) {
    case (.products?, _): page = page?.redrawn([choiceBlock])
    case (.comparisons?, let panel?): page = page?.redrawn([comparisonsBlock(panel)])
    default: return
    }
    settle()
  }

  private var choiceBlock: Block {
    let shown = shownNarrowing
    let note = panel?.whyNoStorefronts
    func row(_ text: String, _ what: String, _ id: String, _ change: (inout Narrowing) -> Void) -> Listing.Row
    {
      var narrowing = narrowing
      change(&narrowing)
      return Listing.Row(
        id: id, [StyledText(text), StyledText(what, .dim), StyledText(id, .dim)], drillDown: .only(narrowing),
        note: note)
    }
    let all = shown.isEmpty ? "everything" : "everything (remove the limit)"
    var rows = [row(all, "", "all") { $0.clear(supportedBy: panel) }]
    rows += products.known.map { id in
      row(products.name(of: id), "product", id.rawValue) { $0.product = id }
    }
    if panel?.hasStorefronts == true {
      rows += choices.storefronts.map { scope in
        row(scope.words, "storefront", scope.text) { $0.storefront = scope }
      }
    }
    if panel == .cohorts {
      rows += choices.offers.map { scope in row(scope.words, "first paid by", scope.text) { $0.offer = scope }
      }
    }
    return Block(
      "Show only",
      .listing(
        Listing(
          [.name("Name"), .whole("What", priority: 2), .name("Id", priority: 1)], rows, emptyText: "",
          in: glyphs)), span: .main)
  }

  private var chosenRow: String {
    let shown = shownNarrowing
    if shown.offer != .all { return shown.offer.text }
    if shown.storefront != .all { return shown.storefront.text }
    return shown.product?.rawValue ?? "all"
  }
}

extension Panel {
  /// Words on which panels have storefronts; `nil` if this panel has them.
  var whyNoStorefronts: String? {
    let others = Panel.allCases.filter(\.hasStorefronts).map(\.title).joined(separator: ", ")
    return hasStorefronts ? nil : "no storefronts on \(title), only on \(others)"
  }
}
