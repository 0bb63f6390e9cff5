import Screen
import Subscriptions

/// The overview panel: headline, tiles and movement, then the figures of other panels.
struct OverviewPanel {
  let figures: FigureValues
  let report: Report
  let formatter: DisplayFormatter

  var blocks: [Block] {
    first + [revenueMovement].compactMap(\.self)
      + OverviewCards(figures: figures, report: report, formatter: formatter).blocks + [events]
  }

  var first: [Block] {
    let headline = OverviewHeadline(figures: figures, report: report, formatter: formatter).headline
    return [Block("", .headline(headline), span: .wide)]
      + OverviewTiles(figures: figures, report: report, formatter: formatter).blocks
      + [movement, products].compactMap(\.self)
  }

  private var movement: Block? {
    guard let group = figures.movement?["subscribers"], let row = group.rows.first else { return nil }
    let steps = MovementSteps(group, row, reasons: figures.movement?["lost_by_reason"], isShort: true)
    return block("Subscribers", steps, minimumColumns: 42)
  }

  /// MRR in the reporting currency, or in the currency with most subscribers.
  private var revenueMovement: Block? {
    guard let group = figures.movement?["mrr"], let row = group.rowsByLines.first, let currency = row.currency
    else { return nil }
    let about = row == group.total ? "\(formatter.glyphs.about) " : ""
    var block = block(
      "MRR, \(about)\(currency)", MovementSteps(group, row, isShort: true), minimumColumns: 54)
    block.span = .tall
    return block
  }

  private func block(_ name: String, _ steps: MovementSteps, minimumColumns: Int) -> Block {
    let waterfall = steps.waterfall(of: .movement, saysWhatIsLeftOut: false)
    return Block(
      steps.title(name, report.windowText, waterfall), .waterfall(waterfall), minimumColumns: minimumColumns)
  }

  private var products: Block {
    OverviewProducts(figures, formatter).block(report)
  }

  private var events: Block {
    Block(
      "Newest events", .listing(figures.newestEvents.listing(emptyText: "Nothing happened.", in: formatter)),
      minimumColumns: 74)
  }
}

/// The overview's list of products: subscribers, losses, MRR and their changes in the window.
struct OverviewProducts {
  private let figures: FigureValues
  private let formatter: DisplayFormatter

  init(_ figures: FigureValues, _ formatter: DisplayFormatter) {
    (self.figures, self.formatter) = (figures, formatter)
  }

  func block(_ report: Report) -> Block {
    let (products, movement) = (figures[parts: "by_product"], figures[parts: "movement_by_product"])
    let moved = Dictionary(movement.map { ($0.product, $0) }, uniquingKeysWith: { one, _ in one })
    let present = products.map(\.product)
    let gone = movement.filter { !present.contains($0.product) && ($0["start"] > 0 || $0["lost"] > 0) }
    let rows =
      products.map { row($0, moved[$0.product]) } + gone.map { row(FigureValues(product: $0.product), $0) }
    return Block(
      StyledText("By product, changes \(report.windowText)"),
      .listing(
        Listing(
          [
            .product(of: formatter.products, least: 20, priority: 0),
            .number("Paid"),
            .number("Change"), .number("Lost"),
            .money("MRR", priority: 2), .money("MRR change", priority: 1).named("mrr_change"),
            .number("Trials", priority: 3),
          ], rows, emptyText: "Nobody has a subscription.", in: formatter.glyphs)), minimumColumns: 38)
  }

  private func row(_ figures: FigureValues, _ moved: FigureValues?) -> Listing.Row {
    let change = moved.map { $0["end"] - $0["start"] } ?? 0
    let (product, mrr, mrrChange) = (figures.product, figures[amounts: "mrr"], moved?[amounts: "mrr_change"])
    return Listing.Row(
      id: product.rawValue,
      [
        StyledText(formatter.products.name(of: product)), .number(figures["paid"], .strong),
        signed(change, CountText.of(change)), .number(moved?["lost"] ?? 0, .bad),
        StyledText(
          mrr.isEmpty ? formatter.glyphs.dash : MoneyText.of(mrr),
          mrr.isEmpty ? .dim : .money),
        revenueChange(mrrChange), .number(figures["trial"]),
      ],
      drillDown: .product(product))
  }

  /// Change in the reporting currency, or in each currency if some amounts are not converted.
  private func revenueChange(_ amounts: Amounts?) -> StyledText {
    guard let amounts else { return .dash(in: formatter.glyphs) }
    if let total = amounts.inReportingCurrency, amounts.unconverted == 0 {
      let about = amounts.totals.map(\.currency) == [total.currency] ? "" : "\(formatter.glyphs.about) "
      return signed(total, about)
    }
    let changed = changed(amounts)
    guard !changed.isEmpty else { return StyledText("0", .dim) }
    return changed.totals.map { signed($0) }.joined(by: ", ")
  }

  private func changed(_ amounts: Amounts?) -> Amounts {
    guard let amounts, amounts.inReportingCurrency == nil || amounts.unconverted > 0 else { return Amounts() }
    return Amounts(amounts.totals.filter { $0.micros != 0 })
  }

  /// `≈ USD +33.62`
  private func signed(_ change: Money, _ about: String = "") -> StyledText {
    let text = MoneyText.signed(change)
    // A change that rounds to zero is neutral.
    return StyledText(about + text, text.contains { ("1"..."9").contains($0) } ? style(change.micros) : .dim)
  }

  private func signed(_ number: some BinaryInteger, _ text: String) -> StyledText {
    StyledText(number > 0 ? "+\(text)" : text, style(number))
  }

  private func style(_ number: some BinaryInteger) -> Style { number == 0 ? .dim : number > 0 ? .good : .bad }
}

/// Tiles of the overview: MRR, subscribers, trials and churn rate.
struct OverviewTiles {
  let figures: FigureValues
  let report: Report
  let formatter: DisplayFormatter

  private var trend: Trend { report.trend }

  var blocks: [Block] {
    [
      tile("MRR", revenue), tile("Subscribers", subscribers), tile("Trials", trials),
      tile("Churn \(report.windowText)", churn),
    ]
  }

  private func tile(_ title: String, _ tile: HeadlineTile) -> Block {
    Block(StyledText(title), .tile(tile), span: .tile, minimumColumns: 20)
  }

  private static func opens(_ figure: String) -> DrillDown { .rows(Breakdown(figure)) }

  private var revenue: HeadlineTile {
    let missing = figures["active_paid"] == 0 ? "none" : "unknown"
    var tile = HeadlineTile(value: StyledText(missing, .dim), drillDown: Self.opens("mrr"))
    // Same amounts as in the headline above.
    guard !figures[amounts: "mrr"].isEmpty, let change = figures.revenueChange else { return tile }
    let isWhole = change.currency == figures[amounts: "mrr"].reporting
    let amount = Money(micros: change.endMicros, currency: change.currency)
    let text = isWhole ? MoneyText.converted(figures[amounts: "mrr"]) : nil
    tile.value = StyledText(text ?? MoneyText.of(amount), Style(.money, .bold))
    let ends = (change.startMicros, change.endMicros)
    func timeSeries(_ currency: CurrencyCode?) -> TimeSeries? {
      trend.state("mrr", currency, rise: .good, ends: ends, in: formatter.glyphs)
    }
    tile.timeSeries = (isWhole ? timeSeries(nil) : nil) ?? timeSeries(change.currency)
    if report.scope.environment.sandboxRemark != nil {
      tile.note = StyledText("test purchases", .warn)
    } else if let lines = change.linesOf(figures) {
      tile.note = StyledText(lines, .dim)
    }
    return tile
  }

  private var subscribers: HeadlineTile {
    let count = CountText.of(figures["active_paid"])
    return HeadlineTile(
      value: StyledText(count, Style(.good, .bold)),
      timeSeries: trend.state(
        "active_paid", rise: .good, ends: figures.movement?["subscribers"]?.values(), in: formatter.glyphs),
      drillDown: Self.opens("active_paid"))
  }

  private var trials: HeadlineTile {
    let count = CountText.of(figures["trial"])
    return HeadlineTile(
      value: StyledText(count, .strong),
      timeSeries: trend.state("trial", rise: .good, in: formatter.glyphs), drillDown: Self.opens("trial"))
  }

  /// Churn rate, its change in points since the window before, and the lines it counts.
  ///
  /// Lines lost from billing retry were not paying. Lists by product and the movement do not count them.
  private var churn: HeadlineTile {
    let rate = PercentText.of(figures[share: "churn_rate"])
    let all = "\(CountText.of(figures["lost_paid"])) lost"
    let paying = figures.movement?["subscribers"]?[Flow.lost.rawValue] ?? Int64(figures["lost_paid"])
    let (count, others) = (CountText.of(paying), CountText.of(Int64(figures["lost_paid"]) - paying))
    let lost = paying == figures["lost_paid"] ? all : "\(all): \(count) paying, \(others) in retry"
    return HeadlineTile(
      value: StyledText(
        rate, figures[share: "churn_rate"] == nil ? .dim : Style(.bad, .bold)),
      note: StyledText(lost, .dim),
      timeSeries: trend.churn(figures[share: "churn_rate"], in: formatter.glyphs),
      drillDown: Self.opens("churn_rate")
    )
  }
}
