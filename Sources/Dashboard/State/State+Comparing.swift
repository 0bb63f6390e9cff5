import Screen
import Subscriptions

extension State {
  var comparisons: [Comparison] {
    guard let panel else { return [] }
    var all: [Comparison] = [.before, .year]
    let others = products.known.filter { $0 != product }
    all += beside(products.known, chosen: product) { .products($0, $1) }
    if product == nil, others.count > 1 { all += others.map { .products(nil, $0) } }
    all += beside(storefronts, chosen: storefront) { .storefronts($0, $1) }
    all += beside(choices.offers, chosen: chosenOffer) { .offers($0, $1) }
    all += cohorts.map { .cohorts(nil, $0) }
    let environments: [EnvironmentScope] =
      environment == .all ? [.production, .sandbox] : [environment == .sandbox ? .production : .sandbox]
    // Only a report on production counts the sandbox purchases that it excludes.
    let hasSandbox =
      environment != .production || panels[panel]?.report.trust.excludedSandbox != 0
    all += environments.filter { $0 != .sandbox || hasSandbox }.map { .environment($0) }
    return all.filter { $0.problem(with: panel) == nil }
  }

  /// Returns comparisons of the chosen element with every other, or of all pairs if none is chosen.
  ///
  /// If none is chosen and there are more than `fewChoices`, only the first is compared with the others.
  private func beside<Choice: Equatable>(
    _ all: [Choice], chosen: Choice?, _ compare: (Choice, Choice) -> Comparison
  ) -> [Comparison] {
    if let chosen { return all.filter { $0 != chosen }.map { compare(chosen, $0) } }
    return all.indices.prefix(all.count <= Self.fewChoices ? all.count : 1).flatMap { place in
      all[(place + 1)...].map { compare(all[place], $0) }
    }
  }

  /// Maximum number of elements whose pairs are all listed; six elements make fifteen pairs.
  private static let fewChoices = 6

  private var storefront: StorefrontCode? {
    if case .only(let one) = shownNarrowing.storefront { one } else { nil }
  }

  /// Offer that the panel is narrowed to, or else `standard`, because most lines start with it.
  ///
  /// `nil` if the panel is not narrowed to an offer, and no first payment of kind `standard` is known.
  private var chosenOffer: OfferScope? {
    if shownNarrowing.offer != .all { return shownNarrowing.offer }
    return choices.offers.contains(.kind(.standard)) ? .kind(.standard) : nil
  }

  /// Known storefronts, beginning with the list of the Active panel, or else of the overview, in its order.
  private var storefronts: [StorefrontCode] {
    let active = panels[.active]?.report.data[parts: "by_storefront"]
    let sold = panels[.overview]?.report.data[parts: "sales.by_storefront"]
    let known = (active ?? sold ?? []).compactMap(\.storefront)
    let others = choices.storefronts.compactMap { if case .only(let one) = $0 { one } else { nil } }
    return known + others.filter { !known.contains($0) }
  }

  /// The last twelve cohorts with a retention rate after one month, newest first.
  private var cohorts: [CivilMonth] {
    let rows = panels[.cohorts]?.report.data[parts: "rows"] ?? []
    return rows.filter { $0[parts: "retained"].contains { $0["months"] == 1 && $0[share: "rate"] != nil } }
      .compactMap(\.month).suffix(12).reversed()
  }

  mutating func beginComparing() -> [Effect] {
    guard let panel, Comparison.panels.contains(panel) else {
      return say("There are no figures to compare here.")
    }
    if case .compared? = top { layers.removeLast() }
    push(.comparisons, [comparisonsBlock(panel)])
    guard panel.comparesStorefronts else { return [] }
    return askOrigins()
  }

  /// Returns a hint for the title if products or storefronts are too many to list all pairs; otherwise empty.
  private func hint(_ panel: Panel) -> String {
    let lacksProducts = product == nil && products.known.count > Self.fewChoices
    let lacksStorefronts =
      panel.comparesStorefronts && storefront == nil && storefronts.count > Self.fewChoices
    guard lacksProducts || lacksStorefronts else { return "" }
    let kind = lacksProducts ? "product" : "storefront"
    return "; for two others, type :compare \(kind):A,B on the panel"
  }

  func comparisonsBlock(_ panel: Panel) -> Block {
    let rows = comparisons.map { comparison in
      Listing.Row(
        id: comparison.text,
        [StyledText(comparison.words(of: panel, in: formatter)), StyledText(comparison.text, .dim)],
        drillDown: .comparison(comparison))
    }
    return Block(
      StyledText("\(panel.title): compare\(hint(panel))"),
      .listing(
        Listing(
          [.name("What"), .name("Typed as", priority: 1, cut: .middle).named("text")], rows, emptyText: "",
          in: glyphs)),
      span: .main)
  }

  mutating func compare(_ comparison: Comparison, _ purpose: PendingRequests.Purpose) -> [Effect] {
    guard let panel else { return [] }
    let comparison = whole(comparison)
    if let problem = comparison.problem(with: panel) { return say(problem) }
    var question = question(of: panel, for: panel.comparedList)
    question.limit = 0
    let serial = pending.ask(.compared, .compared(comparison, question), purpose, at: uptime)
    return [.loadCompared(question, comparison, serial: serial)]
  }

  /// Returns the comparison with product ids instead of displayed names.
  private func whole(_ comparison: Comparison) -> Comparison {
    guard case .products(let first, let second) = comparison else { return comparison }
    return .products(first.map(products.id), products.id(second))
  }

  mutating func show(_ this: Report, comparedWith that: Report, serial: Int) {
    guard let asked = pending.take(.compared, serial),
      case .compared(let comparison, let question) = asked.subject
    else { return }
    products.learn(this.products + that.products)
    let reports = ComparedReports(comparison, this, that, firstPurchase: status?.firstPurchaseMs)
    if asked.purpose == .open, let missing = reports.missing {
      say(missing)
      return
    }
    guard panel == question.panel else { return }
    let view = ComparedView(comparison: comparison, question: question, reports: reports)
    let layer = layer(.compared(view), reports.blocks(in: formatter))
    switch (asked.purpose, top) {
    case (.open, nil): layers.append(layer)
    case (.open, .compared?): layers[layers.count - 1] = layer
    case (.refresh, .compared(let old)?) where old.comparison == comparison: replaceTop(by: layer)
    default: return
    }
    settle()
  }

  mutating func openSides(of figure: String) -> [Effect] {
    guard case .compared(let view)? = top else { return [] }
    let panel = view.question.panel
    let names = view.comparison.sides(view.reports, in: formatter)
    let sides = [
      RowsView.Subject.Side(name: names.this, question: view.comparison.this(view.question)),
      RowsView.Subject.Side(name: names.that, question: view.comparison.that(view.question)),
    ]
    let figures = [figure, view.comparison.otherFigure(figure, of: panel)]
    return askRows(RowsView.Subject(panel: panel, figures: figures, sides: sides), .open)
  }
}
