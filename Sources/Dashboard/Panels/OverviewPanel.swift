import Screen
import Subscriptions

/// The overview: headline, tiles and movement, then the figures of other panels.
extension PanelContent {
  var overview: [Block?] { overview(options.boxes.order.filter { !options.boxes.hidden.contains($0) }) }

  /// Blocks of the first screen, for `demo --headless`.
  var overviewStart: [Block?] { overview([.tiles, .movement, .products]) }

  private func overview(_ boxes: [OverviewBox]) -> [Block?] {
    [Block("", .headline(headline), span: .wide)]
      + boxes.flatMap { box in blocks(of: box).map { $0.map { altered($0) { $0.box = box } } } }
  }

  private func blocks(of box: OverviewBox) -> [Block?] {
    switch box {
    case .tiles: tiles
    case .movement: [movement]
    case .products: [changes]
    case .events:
      // As many events as fit below the movement on a screen of 40 rows.
      [
        Block(
          "Newest events",
          .listing(
            Array(figures.newestEvents.prefix(12)).listing(emptyText: "No events.", in: formatter)),
          minimumColumns: 74)
      ]
    case .revenueMovement: [revenueMovement]
    case .renewals, .subscribers, .lost, .trials, .revenue, .money, .storefronts: [overviewCard(box)]
    }
  }

  private var tiles: [Block] {
    [
      revenue,
      tile(
        "Subscribers", StyledText(CountText.of(figures["active_paid"]), Style(.good, .bold)),
        trend.state(
          "active_paid", rise: .good, ends: figures.movement?["subscribers"]?.values(), in: glyphs),
        opens: "active_paid"),
      tile(
        "Trials", StyledText(CountText.of(figures["trial"]), .strong),
        trend.state("trial", rise: .good, in: glyphs), opens: "trial"),
      churn,
    ]
  }

  // MARK: Movement

  private var movement: Block? {
    guard let group = figures.movement?["subscribers"], let row = group.rows.first else { return nil }
    let steps = MovementSteps(group, row, reasons: figures.movement?["lost_by_reason"], isShort: true)
    return steps.block("Subscribers \(window)", 42, of: .movement)
  }

  /// Movement of MRR in the reporting currency, or else in the currency with the most subscriptions.
  private var revenueMovement: Block? {
    guard let group = figures.movement?["mrr"], let row = group.rowsByLines.first, let currency = row.currency
    else { return nil }
    let about = row == group.total ? "\(glyphs.about) " : ""
    return MovementSteps(group, row, isShort: true)
      .block("MRR, \(about)\(currency) \(window)", 54, of: .movement, span: .tall)
  }

  // MARK: Products

  /// Subscribers, losses and MRR by product, with their changes in the window.
  private var changes: Block {
    let (products, movement) = (figures[parts: "by_product"], figures[parts: "movement_by_product"])
    let moved = Dictionary(movement.map { ($0.product, $0) }, uniquingKeysWith: { one, _ in one })
    let present = products.map(\.product)
    let gone = movement.filter { !present.contains($0.product) && ($0["start"] > 0 || $0["lost"] > 0) }
    return Block(
      StyledText("By product, changes \(window)"), products + gone.map { FigureValues(product: $0.product) },
      [
        .product(in: formatter, least: 20, priority: 0) { $0.product }, .count("Paid", "paid", .strong),
        Column(.number("Change")) { part in
          let change = moved[part.product].map { $0["end"] - $0["start"] } ?? 0
          return .signed(change, CountText.of(change))
        }, .count("Lost", .bad) { moved[$0.product]?["lost"] ?? 0 },
        Column(.money("MRR", priority: 2)) { .amount($0[amounts: "mrr"], of: 0, in: glyphs) },
        Column(.money("MRR change", priority: 1).named("mrr_change")) {
          revenueChange(moved[$0.product]?[amounts: "mrr_change"])
        }, .count("Trials", "trial", priority: 3),
      ], emptyText: "No subscriptions.", minimumColumns: 38, in: glyphs
    ) { Listing.Row(id: $0.product.rawValue, drillDown: .product($0.product)) }
  }

  private func revenueChange(_ amounts: Amounts?) -> StyledText {
    guard let amounts else { return .dash(in: glyphs) }
    if let total = amounts.inReportingCurrency, amounts.unconverted == 0 {
      let about = amounts.totals.map(\.currency) == [total.currency] ? "" : "\(glyphs.about) "
      return .signed(total, about)
    }
    let changed = amounts.totals.filter { $0.micros != 0 }
    return changed.isEmpty ? StyledText("0", .dim) : changed.map { .signed($0) }.joined(by: ", ")
  }

  // MARK: Tiles

  private func tile(
    _ title: String, _ value: StyledText, _ timeSeries: TimeSeries? = nil, note: StyledText = "",
    opens figure: String
  ) -> Block {
    let tile = HeadlineTile(
      value: value, note: note, timeSeries: timeSeries, drillDown: .rows(Breakdown(figure)))
    return Block(StyledText(title), .tile(tile), span: .tile, minimumColumns: 20)
  }

  private var revenue: Block {
    let mrr = figures[amounts: "mrr"]
    // The tile has the same amounts as the headline above it.
    guard !mrr.isEmpty, let change = figures.revenueChange else {
      let missing = figures["active_paid"] == 0 ? "none" : "unknown"
      return tile("MRR", StyledText(missing, .dim), opens: "mrr")
    }
    let isWhole = change.currency == mrr.reporting
    let amount = Money(micros: change.endMicros, currency: change.currency)
    let text = isWhole ? MoneyText.converted(mrr) : nil
    func timeSeries(_ currency: CurrencyCode?) -> TimeSeries? {
      let ends = (change.startMicros, change.endMicros)
      return trend.state("mrr", currency, rise: .good, ends: ends, in: glyphs)
    }
    let isTest = report.scope.environment.sandboxRemark != nil
    return tile(
      "MRR", StyledText(text ?? MoneyText.of(amount), Style(.money, .bold)),
      (isWhole ? timeSeries(nil) : nil) ?? timeSeries(change.currency),
      note: isTest ? StyledText("test purchases", .warn) : StyledText(linesBehind(change) ?? "", .dim),
      opens: "mrr")
  }

  /// Churn rate with the number of lost lines, which unlike the movement includes losses from billing retry.
  private var churn: Block {
    let (rate, whole) = (figures[share: "churn_rate"], Int64(figures["lost_paid"]))
    let all = "\(CountText.of(whole)) lost"
    let paying = figures.movement?["subscribers"]?[Flow.lost.rawValue] ?? whole
    let lost =
      paying == whole
      ? all : "\(all): \(CountText.of(paying)) paying, \(CountText.of(whole - paying)) in retry"
    return tile(
      "Churn \(window)", StyledText(PercentText.of(rate), rate == nil ? .dim : Style(.bad, .bold)),
      trend.churn(rate, in: glyphs), note: StyledText(lost, .dim), opens: "churn_rate")
  }
}

extension StyledText {
  /// Returns a change such as `≈ USD +33.62`, dimmed if it rounds to zero.
  fileprivate static func signed(_ change: Money, _ about: String = "") -> StyledText {
    let text = MoneyText.signed(change)
    let isNothing = !text.contains { ("1"..."9").contains($0) }
    return StyledText(about + text, isNothing ? .dim : change.micros > 0 ? .good : .bad)
  }

  fileprivate static func signed(_ number: Int, _ text: String) -> StyledText {
    StyledText(number > 0 ? "+\(text)" : text, number == 0 ? .dim : number > 0 ? .good : .bad)
  }
}
