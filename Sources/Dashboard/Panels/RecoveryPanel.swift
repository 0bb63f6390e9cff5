import Screen
import Subscriptions

/// The recovery panel: outcomes of paid lines that entered billing retry, and their time to recovery.
struct RecoveryPanel {
  let figures: RecoveryFigures
  let report: Report
  let wording: Wording

  private var glyphs: GlyphSet { wording.glyphs }

  /// Two blocks share a row from 80 columns on, three from 120.
  var blocks: [Block] {
    [outcomes, revenue, curve, grace, standing, days, advice, byGrace, stretches, products]
  }

  // MARK: Outcomes

  private var outcomes: Block {
    let entered = figures.entered
    return Block(
      StyledText("Entered billing retry \(report.windowText): \(CountText.of(entered))"),
      .bars(
        .shares(
          [
            Share("recovered", figures.recovered, .good, opens: "recovered"),
            Share("in retry", figures.stillRetrying, .warn, opens: "still_retrying"),
            Share("lost", figures.lost, .bad, opens: "lost"),
          ], of: entered)), minimumColumns: 40)
  }

  private var revenue: Block {
    let mrr = figures.mrr
    let parts: [(String, Amounts, Int, String)] = [
      ("Recovered", mrr.recovered, figures.recovered, "recovered"),
      ("In retry", mrr.stillRetrying, figures.stillRetrying, "still_retrying"),
      ("Lost", mrr.lost, figures.lost, "lost"),
    ]
    return Block(
      "What they brought a month (MRR)",
      .figures(
        Figure.money("Entered", mrr.entered, of: figures.entered, opens: "entered")
          + parts.flatMap { Figure.money($0.0, $0.1, of: $0.2, opens: $0.3) }), minimumColumns: 38)
  }

  // MARK: Time to recovery

  private var curve: Block {
    groups(
      "Back within so many days, %",
      [("this window", figures.curve, .good), ("the one before", figures.curveBefore, .info)])
  }

  private var grace: Block {
    groups(
      "With grace first and without, %",
      [
        ("with grace", figures.withGrace.curve, .accent), ("without", figures.withoutGrace.curve, .warn),
      ])
  }

  private func groups(_ title: String, _ series: [(String, [RecoveryFigures.Point], Style)]) -> Block {
    let most = series.flatMap(\.1).compactMap(\.rate).max() ?? 1
    return Block(
      StyledText(title),
      .groups(
        ColumnGroups(
          labels: RecoveryFigures.days.map { "\($0) d" },
          series: series.map { name, points, style in
            let rates = RecoveryFigures.days.map { days in points.first { $0.days == days }?.rate }
            return ColumnGroups.Series(
              name, rates, texts: rates.map { $0.map { CountText.rounding($0 * 100) } ?? "" }, style)
          }, ceiling: max(0.1, most))), minimumColumns: 40)
  }

  private var days: Block {
    let rows = figures.curve.map { point in
      let path = "curve.\(point.days)"
      return Listing.Row(
        id: path,
        [
          StyledText("\(point.days) d"), .rate(point, .strong), "",
          StyledText("\(CountText.of(point.recovered)) of \(CountText.of(point.of))", .dim),
          .rate(figures.curveBefore.first { $0.days == point.days }),
          .rate(figures.withGrace.curve.first { $0.days == point.days }),
          .rate(figures.withoutGrace.curve.first { $0.days == point.days }),
        ],
        opening: .rows(
          Breakdown([
            ("\(path).recovered", point.recovered), ("\(path).of", point.of),
            ("curve_before.\(point.days).recovered", 0), ("curve_before.\(point.days).of", 0),
            ("with_grace.\(path).recovered", 0), ("with_grace.\(path).of", 0),
            ("without_grace.\(path).recovered", 0), ("without_grace.\(path).of", 0),
          ])),
        bar: point.rate.map { Listing.RowBar($0, .good) })
    }
    return Block(
      "Back within",
      .listing(
        Listing(
          [
            .whole("Days"), .number("Back"), .bar(), .number("Of", priority: 3),
            .number("Before", priority: 1), .number("Grace", priority: 2), .number("Without", priority: 2),
          ], rows, emptyText: "Nobody entered billing retry.", in: glyphs)), minimumColumns: 60)
  }

  // MARK: Still in retry

  private var standing: Block {
    let top = figures.standing.map(\.lines).max() ?? 0
    let rows = figures.standing.map { band in
      Listing.Row(
        id: "\(band.fromDays)",
        [
          StyledText(
            band.toDays.map { "\(band.fromDays)\(glyphs.dash)\($0) d" } ?? "from \(band.fromDays) d"),
          .number(band.lines, .strong), "", .amount(band.mrr, of: band.lines, in: glyphs),
        ], counted: [3: .currencies(band.mrr)], opening: .rows(Breakdown("standing.\(band.fromDays)")),
        bar: PercentText.share(band.lines, in: top).map { Listing.RowBar($0, .bad) })
    }
    return Block(
      "In billing retry now",
      .listing(
        Listing(
          [.whole("Since entry").named("days"), .number("Now"), .bar(), .number("MRR at risk", priority: 1)],
          rows,
          emptyText: "Nobody is in billing retry.", in: glyphs)), minimumColumns: 40)
  }

  // MARK: By product, and by week or month

  private var products: Block {
    let rows = figures.byProduct.map { product in
      row(
        product.productId.rawValue, StyledText(wording.products.name(of: product.productId)),
        product.outcomes, "by_product.\(product.productId)")
    }
    return list(
      "Entered by product", .product(of: wording.products, least: 7, priority: 0), rows, span: .main)
  }

  private var stretches: Block {
    let isByWeek = !figures.byWeek.isEmpty
    let unit = isByWeek ? "week" : "month"
    let parts =
      isByWeek
      ? figures.byWeek.map { ($0.week, $0.outcomes) }
      : figures.byMonth.map { ($0.month.description, $0.outcomes) }
    let usual = UsualEntries(parts.map(\.1.entered), unit)
    let rows = parts.map { name, outcomes in
      let isUnusual = usual.isExceeded(by: outcomes.entered)
      var row = row(
        name, isUnusual ? StyledText("\(name) \(glyphs.warning)", .warn) : StyledText(name), outcomes,
        "by_\(unit).\(name)")
      if isUnusual { row.note = usual.note(outcomes) }
      return row
    }
    let legend = rows.contains { $0.note != nil } ? ", \(glyphs.warning) over twice the usual" : ""
    return list(
      "Entered by \(unit)\(legend)", .whole(isByWeek ? "Week from" : "Month"), rows, span: .card)
  }

  private var byGrace: Block {
    let rows = [
      ("with", figures.withGrace, "with_grace"), ("without", figures.withoutGrace, "without_grace"),
    ]
    .map { name, part, path in row(path, StyledText(name), part.outcomes, "\(path).outcomes") }
    return list("Entered with grace first and without", .name("Grace", least: 7), rows, span: .card)
  }

  private func row(
    _ id: String, _ name: StyledText, _ outcomes: RecoveryFigures.Outcomes, _ path: String
  ) -> Listing.Row {
    Listing.Row(
      id: id,
      [
        name, .number(outcomes.entered, .strong),
        .share(outcomes.recovered, of: outcomes.entered, .good), "",
        .number(outcomes.recovered, .good), .number(outcomes.stillRetrying, .warn),
        .number(outcomes.lost, .bad),
      ],
      opening: .rows(
        Breakdown([
          ("\(path).entered", outcomes.entered), ("\(path).recovered", outcomes.recovered),
          ("\(path).still_retrying", outcomes.stillRetrying), ("\(path).lost", outcomes.lost),
        ])),
      bar: PercentText.share(outcomes.recovered, in: outcomes.entered).map { Listing.RowBar($0, .good) })
  }

  private func list(
    _ title: String, _ first: ListingColumn, _ rows: [Listing.Row], span: Block.Span
  ) -> Block {
    Block(
      StyledText(title),
      .listing(
        Listing(
          [
            first, .number("Entered"), .number("Back", priority: 1), .bar(),
            .number("Recovered", priority: 2).named("recovered"),
            .number("In retry", priority: 4).named("still_retrying"), .number("Lost", priority: 3),
          ], rows, emptyText: "Nobody entered billing retry.", in: glyphs)), span: span, minimumColumns: 58)
  }

  // MARK: Grace

  private var advice: Block {
    Block(
      "With grace and without",
      .text(
        [
          StyledText(GraceAdvice(figures, days: report.window.days).text),
          StyledText(GraceAdvice.setting, .dim),
        ], indent: 0),
      minimumColumns: 40)
  }
}

/// Median of entries in the shown weeks or months, if there are at least four.
private struct UsualEntries {
  private let median: Int?
  private let of: String

  init(_ entered: [Int], _ unit: String) {
    median = entered.count < 4 ? nil : entered.sorted()[(entered.count - 1) / 2]
    of = "\(entered.count) \(unit)s"
  }

  func isExceeded(by entered: Int) -> Bool { median.map { entered > 2 * $0 && entered >= 10 } ?? false }

  func note(_ outcomes: RecoveryFigures.Outcomes) -> String {
    "\(CountText.of(outcomes.entered)) entered, usual \(CountText.of(median ?? 0)), the median of \(of)"
  }
}

extension StyledText {
  fileprivate static func rate(_ point: RecoveryFigures.Point?, _ style: Style = .text) -> StyledText {
    guard let point, point.rate != nil else { return StyledText("unknown", .dim) }
    return StyledText(PercentText.of(point.rate), style)
  }
}
