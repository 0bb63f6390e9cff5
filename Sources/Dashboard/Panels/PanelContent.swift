import Screen
import Subscriptions

/// Content of a report's panel; most panels are extensions of this type.
struct PanelContent {
  let report: Report
  let formatter: DisplayFormatter
  var options = PanelOptions()

  var figures: FigureValues { report.data }
  var glyphs: GlyphSet { formatter.glyphs }
  var trend: Trend { report.trend }
  var window: String { report.windowText }
  /// Words for the instant of balances: the present, or the end of a past period.
  var now: String { report.window.isWhole ? "at the end" : "now" }
  var nowTitle: String { report.window.isWhole ? "At end" : "Now" }

  var blocks: [Block] {
    let blocks =
      switch report.report {
      case .overview: overview
      case .movement: movementPanel
      case .active: activePanel
      case .billingRetry: billingRetryPanel
      case .churn: churnPanel
      case .refunds: refundsPanel
      case .upgrades: upgradesPanel
      case .events: eventsPanel
      case .recovery: recoveryPanel
      case .cohorts: CohortsPanel(figures, formatter, options.cohorts).blocks
      case .offers: offersPanel
      }
    return blocks.compactMap(\.self)
  }

  // MARK: Figures

  func count(_ label: String, _ path: String, _ style: Style = .strong, trend: Bool = false) -> Figure {
    Figure(label, number(path, style), opens: path, trend ? timeSeries(path) : nil)
  }

  func part(_ label: String, _ path: String, _ style: Style = .text, trend: Bool = false) -> Figure {
    Figure(label, number(path, style), isPart: true, opens: path, trend ? timeSeries(path) : nil)
  }

  private func number(_ path: String, _ style: Style) -> StyledText {
    report.isUnseen(path) ? StyledText("unknown", .dim) : .number(figures[path], style)
  }

  func money(
    _ label: String, _ path: String, of count: Int, isPart: Bool = false, trend: Bool = false
  ) -> [Figure] {
    Figure.money(label, figures[amounts: path], of: count, isPart: isPart, opens: path) {
      trend ? timeSeries(path, $0) : nil
    }
  }

  /// Returns the trend of a figure, in a style that shows whether its change is good.
  func timeSeries(_ path: String, _ currency: CurrencyCode? = nil) -> TimeSeries? {
    let rise = report.report.rise(of: path)
    return report.report.happens(path)
      ? trend.flow(path, currency, rise: rise, in: glyphs)
      : trend.state(path, currency, rise: rise, in: glyphs)
  }

  // MARK: Blocks

  func card(
    _ title: StyledText, _ minimumColumns: Int, @FigureBuilder _ figures: () -> [Figure]
  ) -> Block {
    Block(title, .figures(figures()), minimumColumns: minimumColumns)
  }

  func bars(
    _ title: String, _ minimumColumns: Int, of whole: Int? = nil, hasShares: Bool = true,
    _ parts: [(name: String, path: String, style: Style)]
  ) -> Block {
    let bars = parts.map {
      FigureBar($0.name, figures[$0.path], $0.style, drillDown: .rows(Breakdown($0.path)))
    }
    return Block(
      StyledText(title), .bars(hasShares ? bars.shares(of: whole) : bars), minimumColumns: minimumColumns)
  }

  /// Returns the entries of `list` in the panel's JSON as rows, with bars for the figure `largest`.
  func parts(
    _ title: String, _ minimumColumns: Int, _ list: String, _ first: Column<FigureValues>,
    span: Block.Span = .main, emptyText: String, _ largest: (title: String, path: String), _ style: Style,
    _ others: [Column<FigureValues>], row: (FigureValues) -> Listing.Row
  ) -> Block {
    let parts = figures[parts: list]
    let top = parts.map { $0[largest.path] }.max() ?? 0
    let columns: [Column<FigureValues>] = [
      first, .count(largest.title, largest.path, .strong),
      .bar(style) { PercentText.share($0[largest.path], in: top) },
    ]
    return Block(
      StyledText(title), parts, columns + others, emptyText: emptyText, span: span,
      minimumColumns: minimumColumns, records: .figures(report, list), in: glyphs, row: row)
  }

  /// Returns the list of figures by product; Enter on a row narrows the panel to its product.
  func products(
    _ title: String, _ minimumColumns: Int, emptyText: String, _ largest: (title: String, path: String),
    _ style: Style, _ others: [Column<FigureValues>]
  ) -> Block {
    parts(
      title, minimumColumns, "by_product",
      .product(in: formatter, priority: 0) { $0.product }, emptyText: emptyText, largest, style, others
    ) { Listing.Row(id: $0.product.rawValue, drillDown: .product($0.product)) }
  }

  /// Returns the list of figures by storefront; `nil` if the report has none.
  func storefronts(
    _ title: String, _ list: String, _ span: Block.Span, _ minimumColumns: Int, emptyText: String,
    _ largest: (title: String, path: String), _ style: Style, opens others: [String],
    _ columns: [Column<FigureValues>]
  ) -> Block? {
    guard !figures[parts: list].isEmpty else { return nil }
    let name = Column<FigureValues>(.name("Storefront")) { part in
      part.storefront.map { StyledText($0.rawValue) } ?? StyledText("unknown", .dim)
    }
    return parts(
      title, minimumColumns, list, name, span: span, emptyText: emptyText, largest, style, columns
    ) { part in
      let path = "\(list).\(part.storefront?.rawValue ?? "unknown")"
      let opened = ([largest.path] + others).map {
        ("\(path).\($0)", $0 == "trial" ? part[$0] : part[largest.path])
      }
      return Listing.Row(id: path, drillDown: .rows(Breakdown(opened)))
    }
  }

  // MARK: Charts

  /// Returns a chart of the sum of figures; `nil` if fewer than two distinct values are known.
  func chart(
    _ title: String, _ figures: [String], _ kind: SeriesChart.Kind, _ style: Style,
    currency: CurrencyCode? = nil, words: ((Double) -> String)? = nil
  ) -> Block? {
    let series = figures.compactMap { trend.series($0, currency) }
    let values = trend.endsMs.indices.map { place -> Double? in
      let parts = series.map { $0.values[place] }
      return parts.isEmpty || parts.contains(nil)
        ? nil : parts.compactMap { $0.map(Double.init) }.reduce(0, +)
    }
    guard Set(values.compactMap(\.self)).count > 1, let range = SeriesChart.range(of: values, kind) else {
      return nil
    }
    let words =
      words ?? { value in
        currency.map { MoneyText.of(Money(rounding: value, currency: $0)) } ?? CountText.rounding(value)
      }
    let window = report.window
    let chart = SeriesChart(
      values, kind, style, top: words(range.upperBound), bottom: words(range.lowerBound),
      times: [window.from + 1, window.from + (window.to - window.from) / 2, window.to].map(formatter.date))
    let unknown = values.contains(nil) ? ", as observed" : ""
    return Block(StyledText(title + unknown), .chart(chart), span: .tall, minimumColumns: 40)
  }

  /// Returns a chart of an amount in the reporting currency, or else in the currency of most subscriptions.
  func chart(_ title: String, amount figure: String, _ kind: SeriesChart.Kind) -> Block? {
    if let reporting = report.reportingCurrency, trend.series(figure) != nil {
      return chart("\(title), \(GlyphSet.unicode.about) \(reporting)", [figure], kind, .money) {
        MoneyText.of(Money(rounding: $0, currency: reporting))
      }
    }
    let currencies = Set(trend.series.filter { $0.figure == figure }.compactMap(\.currency))
    let known = trend.currenciesByLines.first(where: currencies.contains)
    guard let currency = known ?? currencies.min(by: { $0.rawValue < $1.rawValue }) else { return nil }
    let why =
      currencies.count == 1 ? "" : currency == trend.currenciesByLines.first ? " (most subscribers)" : " only"
    return chart("\(title), \(currency)\(why)", [figure], kind, .money, currency: currency)
  }
}

extension Column<FigureValues> {
  static func count(_ title: String, _ path: String, _ style: Style = .text, priority: Int = 0) -> Column {
    count(title, style, priority: priority) { $0[path] }
  }

  static func money(
    _ title: String, _ path: String, of count: String, priority: Int = 0, in glyphs: GlyphSet
  ) -> Column {
    Column(.money(title, priority: priority)) { .amount($0[amounts: path], of: $0[count], in: glyphs) }
  }
}

extension FigureValues {
  func counted(_ paths: [String]) -> [(String, Int)] { paths.map { ($0, self[$0]) } }
}

/// State of the dashboard, apart from the report, on which the content of panels depends.
struct PanelOptions: Hashable, Sendable {
  var isSweeping = false
  var isReadOnly = false
  var cohorts = CohortView()
  var boxes = OverviewBoxes()
  /// Result of the comparison with Apple, for the overview's headline; `nil` if there is none.
  var reconciled: Headline.Part?
}
