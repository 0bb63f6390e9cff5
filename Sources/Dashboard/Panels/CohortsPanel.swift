import Screen
import Subscriptions

/// The cohorts panel: retention by months since the first payment.
struct CohortsPanel {
  let figures: CohortFigures
  let wording: Wording
  private let isAbsolute: Bool
  private let measure: CohortMeasure

  init(_ figures: CohortFigures, _ wording: Wording, _ view: CohortView) {
    (self.figures, self.wording) = (figures, wording)
    isAbsolute = view.isAbsolute
    measure = CohortMeasure.all(of: figures).contains(view.measure) ? view.measure : .subscribers
  }

  private var glyphs: GlyphSet { wording.glyphs }

  private var months: Range<Int> {
    0..<(figures.rows.flatMap(\.retained).map(\.months).max().map { $0 + 1 } ?? 0)
  }

  var blocks: [Block] { [course, newcomers, map].compactMap(\.self) }

  // MARK: Courses

  private var course: Block? {
    let averages = months.map { CohortAverage(figures, after: $0, by: measure).share }
    let known = averages.lastIndex { $0 != nil } ?? 0
    return chart(
      "\(measure.name) retained on average, %", Array(averages.prefix(known + 1)),
      times: ["at the start", "after \(CountText.of(known, "month"))"])
  }

  /// Chart of each cohort's retention after a month, which shows whether newer cohorts stay longer.
  private var newcomers: Block? {
    let shares = figures.rows.map { cohort in
      cohort.retained.first { $0.months == 1 && $0.rate != nil }.flatMap(share)
    }
    let known = shares.lastIndex { $0 != nil } ?? 0
    let times = [figures.rows.first, figures.rows.indices.contains(known) ? figures.rows[known] : nil]
    return chart(
      "Retained after 1 month, %, by month of first payment", Array(shares.prefix(known + 1)),
      times: times.compactMap { $0?.month.description })
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
    let rows = figures.rows.map { cohort in
      Listing.Row(
        id: cohort.month.description,
        [
          StyledText(cohort.month.description),
          StyledText(measure.text(measure.number(cohort.lines, cohort.mrr)), .strong),
        ]
          + months.map { month in
            cohort.retained.first { $0.months == month }.map { StyledText(listed($0)) } ?? ""
          })
    }
    let shaded = ShadedCells(
      headings: 2,
      rows: Dictionary(
        figures.rows.map { cohort in
          (
            cohort.month.description,
            months.map { month in
              cohort.retained.first { $0.months == month }.flatMap { cell($0, of: cohort.month) }
            }
          )
        }, uniquingKeysWith: { $1 }), feet: feet)
    let unit = isAbsolute ? "" : ", %"
    return Block(
      StyledText(
        "\(measure.name) retained after so many months\(unit); \(glyphs.unfinished) not full yet"),
      .listing(
        Listing(
          [.whole("Month"), .number(measure == .subscribers ? "Size" : "At first")]
            + months.map { .number("\($0)") }, rows, emptyText: "Nobody has paid yet.", shaded: shaded,
          in: glyphs)), span: .main, minimumColumns: 120)
  }

  private func listed(_ cell: CohortFigures.Cell) -> String {
    let text = isAbsolute ? measure.text(retained(cell)) : PercentText.of(share(cell))
    return cell.rate == nil ? "\(text) so far" : text
  }

  private func cell(_ cell: CohortFigures.Cell, of month: CivilMonth) -> ShadedCells.Cell? {
    guard let share = share(cell) else { return nil }
    let path = "rows.\(month).\(cell.months)"
    let isUnfinished = cell.rate == nil
    return ShadedCells.Cell(
      shade: HeatMap.Cell(
        isAbsolute ? measure.text(retained(cell)) : Self.percent(share), share: share,
        isUnfinished: isUnfinished),
      opening: .rows(
        Breakdown([(path, 1), ("\(path).lost", cell.of - cell.lines), ("\(path).of", cell.of)])),
      note: "\(month), \(cell.months == 0 ? "at the start" : "\(CountText.of(cell.months, "month")) later"): "
        + measure.words(retained(cell), of: whole(cell)) + ", \(PercentText.of(share))"
        + (isUnfinished ? "; the others are not so far yet" : ""))
  }

  private var feet: [HeatMap.Row] {
    let averages = months.map { CohortAverage(figures, after: $0, by: measure) }
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

  private func retained(_ cell: CohortFigures.Cell) -> Int128 { measure.number(cell.lines, cell.mrr) }
  private func whole(_ cell: CohortFigures.Cell) -> Int128 { measure.number(cell.of, cell.mrrOf) }

  /// `nil` if the whole is zero.
  private func share(_ cell: CohortFigures.Cell) -> Double? {
    let whole = whole(cell)
    return whole > 0 ? Double(retained(cell)) / Double(whole) : nil
  }

  /// Percentage without decimals, such as `61`. Only exact values are shown as 0 or 100.
  private static func percent(_ share: Double) -> String {
    let rounded = CountText.rounding(share * 100)
    if rounded == "100", share < 1 { return "99" }
    return rounded == "0" && share > 0 ? "1" : rounded
  }
}

struct CohortAverage: Hashable, Sendable {
  /// `nil` if no cohort is complete.
  let share: Double?
  let cohorts: Int

  init(_ figures: CohortFigures, after months: Int, by measure: CohortMeasure) {
    (share, cohorts) = figures.average(
      after: months, kept: { measure.number($0.lines, $0.mrr) }, of: { measure.number($0.of, $0.mrrOf) })
  }
}
