import Screen
import Subscriptions

/// The cohorts panel: retention by months since the first payment.
struct CohortsPanel {
  let rows: [FigureValues]
  private let figures: FigureValues
  let formatter: DisplayFormatter
  private let isAbsolute: Bool
  private let measure: CohortMeasure

  init(_ figures: FigureValues, _ formatter: DisplayFormatter, _ view: CohortView) {
    (self.figures, rows, self.formatter) = (figures, figures[parts: "rows"], formatter)
    isAbsolute = view.isAbsolute
    measure = CohortMeasure.all(of: figures).contains(view.measure) ? view.measure : .subscribers
  }

  private var glyphs: GlyphSet { formatter.glyphs }

  private var months: Range<Int> {
    0..<(rows.flatMap { $0[parts: "retained"] }.map { $0["months"] }.max().map { $0 + 1 } ?? 0)
  }

  var blocks: [Block] { [timeSeries, newcomers, map].compactMap(\.self) }

  // MARK: Charts

  private var timeSeries: Block? {
    let averages = months.map { average(after: $0).share }
    let known = averages.lastIndex { $0 != nil } ?? 0
    return chart(
      "\(measure.name) retained on average, %", Array(averages.prefix(known + 1)),
      times: ["at the start", "after \(CountText.of(known, "month"))"])
  }

  /// Chart of each cohort's retention after one month, to compare newer cohorts with older ones.
  private var newcomers: Block? {
    let shares = rows.map { cohort in
      cohort.retained(after: 1).flatMap { $0[share: "rate"] == nil ? nil : share($0) }
    }
    let known = shares.lastIndex { $0 != nil } ?? 0
    let times = [rows.first, rows.indices.contains(known) ? rows[known] : nil]
    return chart(
      "Retained after 1 month, %, by month of first payment", Array(shares.prefix(known + 1)),
      times: times.compactMap { $0?.name })
  }

  private func chart(_ title: String, _ shares: [Double?], times: [String]) -> Block? {
    guard shares.count(where: { $0 != nil }) > 1, let range = SeriesChart.range(of: shares, .line) else {
      return nil
    }
    return Block(
      StyledText(title),
      .chart(
        SeriesChart(
          shares, .line, .accent, top: Self.percent(range.upperBound), bottom: Self.percent(range.lowerBound),
          times: times)), span: .tall, minimumColumns: 58)
  }

  // MARK: Map

  private var map: Block {
    let heads: [Column<FigureValues>] = [
      Column(.whole("Month")) { StyledText($0.name) },
      Column(.number(measure == .subscribers ? "Size" : "Initial")) {
        StyledText(measure.text(measure.number($0["lines"], $0[amounts: "mrr"])), .strong)
      },
    ]
    let shares: [Column<FigureValues>] = months.map { month in
      Column(.number("\(month)")) { $0.retained(after: month).map { StyledText(listed($0)) } ?? "" }
    }
    var listing = Listing(rows, heads + shares, emptyText: "No paid subscriptions yet.", in: glyphs) {
      Listing.Row(id: $0.name)
    }
    let cells = rows.map { cohort in
      (cohort.name, months.map { cohort.retained(after: $0).flatMap { cell($0, of: cohort.name) } })
    }
    listing.shaded = ShadedCells(
      headings: 2, rows: Dictionary(cells, uniquingKeysWith: { $1 }), feet: feet)
    let unit = isAbsolute ? "" : ", %"
    return Block(
      StyledText("\(measure.name) retained after N months\(unit); \(glyphs.unfinished) incomplete"),
      .listing(listing), span: .main, minimumColumns: 120)
  }

  /// Returns the text of a cell for printed tables and filters.
  private func listed(_ cell: FigureValues) -> String {
    let text = isAbsolute ? measure.text(retained(cell)) : PercentText.of(share(cell))
    return cell[share: "rate"] == nil ? "\(text) so far" : text
  }

  private func cell(_ cell: FigureValues, of month: String) -> ShadedCells.Cell? {
    guard let share = share(cell) else { return nil }
    let path = "rows.\(month).\(cell["months"])"
    let isUnfinished = cell[share: "rate"] == nil
    return ShadedCells.Cell(
      shade: HeatMap.Cell(
        isAbsolute ? measure.text(retained(cell)) : Self.percent(share), share: share,
        isUnfinished: isUnfinished),
      drillDown: .rows(
        Breakdown([(path, 1), ("\(path).lost", cell["of"] - cell["lines"]), ("\(path).of", cell["of"])])),
      note:
        "\(month), \(cell["months"] == 0 ? "at the start" : "\(CountText.of(cell["months"], "month")) later"): "
        + measure.words(retained(cell), of: whole(cell)) + ", \(PercentText.of(share))"
        + (isUnfinished ? "; the rest of the cohort is younger than that" : ""))
  }

  private var feet: [HeatMap.Row] {
    let averages = months.map { average(after: $0) }
    return [
      HeatMap.Row(
        id: "average", heads: [StyledText(isAbsolute ? "avg. %" : "average", .heading), ""],
        cells: averages.map { average in
          average.share.map { HeatMap.Cell(Self.percent($0), share: $0) }
        }),
      HeatMap.Row(
        id: "cohorts", heads: [StyledText("cohorts", .dim), ""],
        cells: averages.map { $0.cohorts == 0 ? nil : HeatMap.Cell(CountText.of($0.cohorts)) }),
    ]
  }

  // MARK: Numbers

  /// Returns the average share retained after `months`, and the number of cohorts that have reached this age.
  private func average(after months: Int) -> (share: Double?, cohorts: Int) {
    figures.average(after: months, kept: retained, of: whole)
  }

  private func retained(_ cell: FigureValues) -> Int128 {
    measure.number(cell["lines"], cell[amounts: "mrr"])
  }
  private func whole(_ cell: FigureValues) -> Int128 { measure.number(cell["of"], cell[amounts: "mrr_of"]) }

  private func share(_ cell: FigureValues) -> Double? {
    let whole = whole(cell)
    return whole > 0 ? Double(retained(cell)) / Double(whole) : nil
  }

  /// Returns a percentage without decimals, which is 0 only for the share 0, and 99 for shares just below 1.
  private static func percent(_ share: Double) -> String {
    let rounded = CountText.rounding(share * 100)
    if rounded == "100", share < 1 { return "99" }
    return rounded == "0" && share > 0 ? "1" : rounded
  }
}

extension FigureValues {
  fileprivate var name: String { self[text: "month"] ?? "" }

  fileprivate func retained(after months: Int) -> FigureValues? {
    self[parts: "retained"].first { $0["months"] == months }
  }
}

/// Measure of a cohort: its subscribers, or its MRR in a currency.
struct CohortMeasure: Hashable, Sendable {
  static let subscribers = CohortMeasure()

  /// Currency of the MRR; `nil` for subscribers.
  var currency: CurrencyCode?
  /// Whether the measure is the MRR of all currencies, in the reporting currency.
  var isConverted = false

  /// Returns the measures to cycle through: subscribers, converted MRR, MRR by currency (largest first).
  static func all(of figures: FigureValues) -> [CohortMeasure] {
    let starts = figures[parts: "rows"].map { $0[amounts: "mrr"] }
    let reporting = starts.lazy.compactMap { $0.inReportingCurrency?.currency }.first
    var totals: [CurrencyCode: Int128] = [:]
    for total in starts.flatMap(\.totals) { totals[total.currency, default: 0] += total.micros }
    let currencies = totals.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
    return [.subscribers] + (reporting.map { [CohortMeasure(currency: $0, isConverted: true)] } ?? [])
      + currencies.map { CohortMeasure(currency: $0) }
  }

  func number(_ lines: Int, _ amounts: Amounts) -> Int128 {
    guard let currency else { return Int128(lines) }
    return (isConverted ? amounts.inReportingCurrency?.micros : amounts[currency]) ?? 0
  }

  func text(_ number: Int128) -> String {
    currency == nil ? CountText.of(number) : MoneyText.units(of: number)
  }

  /// Returns words such as `122 of 200 subscribers` or `USD 610.00 of USD 1,000.00 a month`.
  func words(_ part: Int128, of whole: Int128) -> String {
    guard let currency else { return "\(CountText.of(part)) of \(CountText.of(whole, "subscriber"))" }
    return "\(MoneyText.of(micros: part, currency)) of \(MoneyText.of(micros: whole, currency)) a month"
  }

  var name: String {
    guard let currency else { return "Subscribers" }
    return isConverted ? "MRR, \(GlyphSet.unicode.about) \(currency)" : "MRR in \(currency)"
  }
}

/// Display options of the cohorts panel.
struct CohortView: Hashable, Sendable {
  var isAbsolute = false
  var measure = CohortMeasure.subscribers

  mutating func goOn(in figures: FigureValues) {
    let all = CohortMeasure.all(of: figures)
    let here = all.firstIndex(of: measure) ?? 0
    measure = all[(here + 1) % all.count]
  }
}
