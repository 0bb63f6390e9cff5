import Screen
import Subscriptions

/// Two things beside each other.
extension State {
  /// What the panel that shows can be compared with.
  var comparisons: [Comparison] {
    var all: [Comparison] = [.before, .year]
    let others = products.known.filter { $0 != product }
    if product != nil || others.count > 1 { all += others.map { .products(product, $0) } }
    if let panel, Comparison.panelsOfStorefronts.contains(panel), let largest = storefronts.first {
      all += storefronts.dropFirst().map { .storefronts(largest, $0) }
    }
    let environments: [EnvironmentScope] =
      environment == .all ? [.production, .sandbox] : [environment.other]
    // Where production shows, it says whether there is a sandbox.
    let hasSandbox =
      environment != .production || panel.flatMap { panels[$0]?.report.trust.excludedSandbox } != 0
    return all + environments.filter { $0 != .sandbox || hasSandbox }.map { .environment($0) }
  }

  /// Those that are known, the largest first.
  private var storefronts: [StorefrontCode] {
    guard case .active(let figures)? = panels[.active]?.report.data else { return [] }
    return figures.byStorefront.compactMap(\.storefront)
  }

  mutating func beginComparing() {
    guard let panel, Comparison.panels.contains(panel) else {
      return say("There are no figures to compare here.")
    }
    if case .compared? = layers.last { layers.removeLast() }
    let rows = comparisons.map { comparison in
      Listing.Row(
        id: comparison.text,
        [StyledText(comparison.words(in: wording)), StyledText(comparison.text, .dim)],
        opening: .comparison(comparison))
    }
    let block = Block(
      StyledText("\(panel.title): compare"),
      .listing(
        Listing(
          [.name("What"), .name("Typed as", priority: 1).named("text")], rows, emptyText: "", in: glyphs)),
      span: .main)
    layers.append(.comparisons(Page([block], arrangement(of: .comparisons))))
    settle()
  }

  mutating func compare(
    _ comparison: Comparison, _ purpose: PendingRequests.Find.Purpose
  ) -> [Effect] {
    guard let panel, Comparison.panels.contains(panel) else { return [] }
    var question = question(of: panel, for: .compared(panel))
    question.limit = 0
    let serial = pending.nextSerial()
    pending.compared = PendingRequests.Compared(
      serial: serial, comparison: comparison, question: question, purpose: purpose, asked: uptime)
    return [.loadCompared(question, comparison, serial: serial)]
  }

  mutating func show(_ this: Report, comparedWith that: Report, serial: Int) {
    guard let asked = pending.compared, asked.serial == serial else { return }
    pending.compared = nil
    products.learn(this.products + that.products)
    let reports = ComparedReports(
      asked.comparison, this, that, firstPurchase: status?.firstPurchaseMs)
    let panel = asked.question.panel
    var page = Page([reports.block(in: wording)], arrangement(of: .compared(panel)))
    switch (asked.purpose, layers.last) {
    case (.open, nil): break
    case (.open, .compared?): layers.removeLast()
    case (.refresh, .compared(let old)?) where old.comparison == asked.comparison:
      page.cursor = old.page.cursor
      layers.removeLast()
    default: return
    }
    guard self.panel == panel else { return }
    layers.append(
      .compared(
        ComparedView(
          comparison: asked.comparison, question: asked.question, reports: reports,
          title: "\(panel.title) compared", page: page)))
    settle()
  }

  /// The rows of the first side; Tab leads to the other.
  mutating func openSides(of figure: String) -> [Effect] {
    guard case .compared(let view)? = layers.last else { return [] }
    let panel = view.question.panel
    let names = view.comparison.sides(view.reports, in: wording)
    let sides = [
      RowsView.Subject.Side(name: names.this, question: view.comparison.this(view.question)),
      RowsView.Subject.Side(name: names.that, question: view.comparison.that(view.question)),
    ]
    return askRows(
      RowsView.Subject(panel: panel, figures: [figure, figure], index: 0, sides: sides), .open)
  }
}

extension EnvironmentScope {
  fileprivate var other: EnvironmentScope { self == .sandbox ? .production : .sandbox }
}
