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
    // Production reports whether there is a sandbox.
    let hasSandbox =
      environment != .production || panels[panel]?.report.trust.excludedSandbox != 0
    all += environments.filter { $0 != .sandbox || hasSandbox }.map { .environment($0) }
    return all.filter { $0.problem(with: panel) == nil }
  }

  /// Pairs the chosen element with each other one. If none is chosen, pairs all of a few, or the first with
  /// each of many.
  private func beside<Choice: Equatable>(
    _ all: [Choice], chosen: Choice?, _ compare: (Choice, Choice) -> Comparison
  ) -> [Comparison] {
    if let chosen { return all.filter { $0 != chosen }.map { compare(chosen, $0) } }
    return all.indices.prefix(all.count <= Self.fewChoices ? all.count : 1).flatMap { place in
      all[(place + 1)...].map { compare(all[place], $0) }
    }
  }

  /// Six choices make fifteen pairs.
  private static let fewChoices = 6

  private var storefront: StorefrontCode? {
    if case .only(let one) = shownNarrowing.storefront { one } else { nil }
  }

  /// Offer of the panel, or else standard purchases, which most lines start with.
  private var chosenOffer: OfferScope? {
    if shownNarrowing.offer != .all { return shownNarrowing.offer }
    return choices.offers.contains(.kind(.standard)) ? .kind(.standard) : nil
  }

  /// Known storefronts, those with most subscribers or purchases first, if a panel has listed them.
  private var storefronts: [StorefrontCode] {
    let active = panels[.active]?.report.data[parts: "by_storefront"]
    let sold = panels[.overview]?.report.data[parts: "sales.by_storefront"]
    let known = (active ?? sold ?? []).compactMap(\.storefront)
    let others = choices.storefronts.compactMap { if case .only(let one) = $0 { one } else { nil } }
    return known + others.filter { !known.contains($0) }
  }

  /// The last twelve cohorts that have completed a month, newest first.
  private var cohorts: [CivilMonth] {
    let rows = panels[.cohorts]?.report.data[parts: "rows"] ?? []
    return rows.filter { $0[parts: "retained"].contains { $0["months"] == 1 && $0[share: "rate"] != nil } }
      .compactMap(\.month).suffix(12).reversed()
  }

  mutating func beginComparing() -> [Effect] {
    guard let panel, Comparison.panels.contains(panel) else {
      say("There are no figures to compare here.")
      return []
    }
    if case .compared? = layers.last?.content { layers.removeLast() }
    layers.append(Layer(content: .comparisons, page: comparisonsPage(panel)))
    settle()
    guard panel.comparesStorefronts else { return [] }
    return askOrigins()
  }

  private func otherFirst(_ panel: Panel) -> String {
    let typed = typedStorefronts(panel)
    let isPart =
      product == nil && products.known.count > Self.fewChoices
      || panel.tellsStorefronts && storefront == nil && storefronts.count > Self.fewChoices
    guard isPart, let key = keys.bindings.first(where: { $0.command == .pickProduct })?.keys.first else {
      return typed.map { "; \($0)" } ?? ""
    }
    return "; \(key.name) on the panel chooses the first of two" + (typed == nil ? "" : " products")
  }

  /// Hint on typing two storefronts, on panels that cannot be narrowed to one; `nil` elsewhere, or if all
  /// pairs are listed.
  private func typedStorefronts(_ panel: Panel) -> String? {
    guard panel.comparesStorefronts, !panel.tellsStorefronts, storefronts.count > Self.fewChoices else {
      return nil
    }
    return ":compare storefront:A,B on the panel takes any two"
  }

  func comparisonsPage(_ panel: Panel) -> Page {
    let typed = typedStorefronts(panel)
    let rows = comparisons.map { comparison in
      let isOfStorefronts = if case .storefronts = comparison { true } else { false }
      return Listing.Row(
        id: comparison.text,
        [StyledText(comparison.words(of: panel, in: formatter)), StyledText(comparison.text, .dim)],
        drillDown: .comparison(comparison), note: isOfStorefronts ? typed : nil)
    }
    let block = Block(
      StyledText("\(panel.title): compare\(otherFirst(panel))"),
      .listing(
        Listing(
          [.name("What"), .name("Typed as", priority: 1, cut: .middle).named("text")], rows, emptyText: "",
          in: glyphs)),
      span: .main)
    return Page([block], arrangement(of: .comparisons))
  }

  mutating func compare(
    _ comparison: Comparison, _ purpose: PendingRequests.Find.Purpose
  ) -> [Effect] {
    guard let panel else { return [] }
    let comparison = whole(comparison)
    if let problem = comparison.problem(with: panel) {
      say(problem)
      return []
    }
    var question = question(of: panel, for: .compared(panel))
    question.limit = 0
    let serial = pending.nextSerial()
    pending.compared = PendingRequests.Compared(
      serial: serial, comparison: comparison, question: question, purpose: purpose, asked: uptime)
    return [.loadCompared(question, comparison, serial: serial)]
  }

  /// Replaces displayed product names by ids.
  private func whole(_ comparison: Comparison) -> Comparison {
    guard case .products(let first, let second) = comparison else { return comparison }
    return .products(first.map(products.id), products.id(second))
  }

  mutating func show(_ this: Report, comparedWith that: Report, serial: Int) {
    guard let asked = pending.compared, asked.serial == serial else { return }
    pending.compared = nil
    products.learn(this.products + that.products)
    let reports = ComparedReports(
      asked.comparison, this, that, firstPurchase: status?.firstPurchaseMs)
    if asked.purpose == .open, let missing = reports.missing { return say(missing) }
    let panel = asked.question.panel
    guard self.panel == panel else { return }
    let layer = Layer(
      content: .compared(
        ComparedView(
          comparison: asked.comparison, question: asked.question, reports: reports,
          title: "\(panel.title) compared")),
      page: Page(reports.blocks(in: formatter), arrangement(of: .compared(panel))))
    switch (asked.purpose, layers.last?.content) {
    case (.open, nil): layers.append(layer)
    case (.open, .compared?): layers[layers.count - 1] = layer
    case (.refresh, .compared(let old)?) where old.comparison == asked.comparison: replaceTop(by: layer)
    default: return
    }
    settle()
  }

  mutating func openSides(of figure: String) -> [Effect] {
    guard case .compared(let view)? = layers.last?.content else { return [] }
    let panel = view.question.panel
    let names = view.comparison.sides(view.reports, in: formatter)
    let sides = [
      RowsView.Subject.Side(name: names.this, question: view.comparison.this(view.question)),
      RowsView.Subject.Side(name: names.that, question: view.comparison.that(view.question)),
    ]
    return askRows(
      RowsView.Subject(
        panel: panel, figures: [figure, view.comparison.otherFigure(figure, of: panel)], index: 0,
        sides: sides),
      .open)
  }
}
