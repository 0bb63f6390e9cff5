import Screen
import Subscriptions

/// The recovery panel: outcomes of paid lines that entered billing retry, and their time to recovery.
struct RecoveryPanel {
  let figures: FigureValues
  let report: Report
  let formatter: DisplayFormatter

  private var glyphs: GlyphSet { formatter.glyphs }

  var blocks: [Block] {
    [outcomes, revenue, days, standing, advice, byGrace, stretches, products]
  }

  // MARK: Outcomes

  private var outcomes: Block {
    let entered = figures["entered"]
    return Block(
      StyledText("Entered billing retry \(report.windowText): \(CountText.of(entered))"),
      .bars(
        .shares(
          [
            figures.share("recovered", "recovered", .good),
            figures.share("in retry", "still_retrying", .warn),
            figures.share("lost", "lost", .bad),
          ], of: entered)), minimumColumns: 40)
  }

  private var revenue: Block {
    let parts = [
      ("Entered", "entered"), ("Recovered", "recovered"), ("In retry", "still_retrying"), ("Lost", "lost"),
    ]
    return Block(
      "What they brought a month (MRR)",
      .figures(
        parts.flatMap { label, path in
          Figure.money(label, figures[amounts: "mrr.\(path)"], of: figures[path], opens: path)
        }), minimumColumns: 38)
  }

  // MARK: Time to recovery

  private var days: Block {
    let curves = ["curve", "curve_before", "with_grace.curve", "without_grace.curve"]
    let rows = figures[parts: "curve"].map { here in
      let days = here["days"]
      let counts = curves.flatMap { curve in
        ["recovered", "of"].map { ("\(curve).\(days).\($0)", curve == "curve" ? here[$0] : 0) }
      }
      return Listing.Row(
        id: "curve.\(days)",
        [
          StyledText("\(days) d"), .rate(here, .strong), "",
          StyledText("\(CountText.of(here["recovered"])) of \(CountText.of(here["of"]))", .dim),
        ] + curves.dropFirst().map { .rate(point($0, days)) },
        drillDown: .rows(Breakdown(counts)),
        bar: here[share: "rate"].map { RowBar($0, .good) })
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

  private func point(_ curve: String, _ days: Int) -> FigureValues? {
    figures[parts: curve].first { $0["days"] == days }
  }

  // MARK: Still in billing retry

  private var standing: Block {
    let bands = figures[parts: "standing"]
    let top = bands.map { $0["lines"] }.max() ?? 0
    let rows = bands.map { band in
      let (from, lines, mrr) = (band["from_days"], band["lines"], band[amounts: "mrr"])
      let to = band[value: "to_days"].map { _ in band["to_days"] }
      return Listing.Row(
        id: "\(from)",
        [
          StyledText(to.map { "\(from)\(glyphs.dash)\($0) d" } ?? "from \(from) d"),
          .number(lines, .strong), "", .amount(mrr, of: lines, in: glyphs),
        ], drillDown: .rows(Breakdown("standing.\(from)")),
        bar: PercentText.share(lines, in: top).map { RowBar($0, .bad) })
    }
    return Block(
      "In billing retry now",
      .listing(
        Listing(
          [.whole("Since entry").named("days"), .number("Now"), .bar(), .money("MRR at risk", priority: 1)],
          rows,
          emptyText: "Nobody is in billing retry.", in: glyphs)), minimumColumns: 40)
  }

  // MARK: By product, and by week or month

  private var products: Block {
    let rows = figures[parts: "by_product"].map { part in
      row(
        part.product.rawValue, StyledText(formatter.products.name(of: part.product)), part,
        "by_product.\(part.product)")
    }
    return list(
      "Entered by product", .product(of: formatter.products, priority: 0), rows, span: .main)
  }

  private var stretches: Block {
    let unit = figures[parts: "by_week"].isEmpty ? "month" : "week"
    let parts = figures[parts: "by_\(unit)"]
    let usual = UsualEntries(parts.map { $0["outcomes.entered"] }, unit)
    let rows = parts.map { part in
      let (name, entered) = (part[text: unit] ?? "", part["outcomes.entered"])
      let isUnusual = usual.isExceeded(by: entered)
      var row = row(
        name, isUnusual ? StyledText("\(name) \(glyphs.warning)", .warn) : StyledText(name), part,
        "by_\(unit).\(name)")
      if isUnusual { row.note = usual.note(entered) }
      return row
    }
    let legend = rows.contains { $0.note != nil } ? ", \(glyphs.warning) over twice the usual" : ""
    return list(
      "Entered by \(unit)\(legend)", .whole(unit == "week" ? "Week from" : "Month"), rows, span: .card)
  }

  private var byGrace: Block {
    let rows = [("with", "with_grace"), ("without", "without_grace")].map { name, path in
      row(path, StyledText(name), figures, "\(path).outcomes", "\(path).outcomes")
    }
    return list("Entered with grace first and without", .whole("Grace"), rows, span: .card)
  }

  /// - Parameters:
  ///   - path: Path of the figures that Enter opens.
  ///   - object: Path of the outcomes in `part`.
  private func row(
    _ id: String, _ name: StyledText, _ part: FigureValues, _ path: String, _ object: String = "outcomes"
  ) -> Listing.Row {
    let counts = ["entered", "recovered", "still_retrying", "lost"].map { ($0, part["\(object).\($0)"]) }
    let (entered, recovered) = (counts[0].1, counts[1].1)
    return Listing.Row(
      id: id,
      [
        name, .number(entered, .strong), .share(recovered, of: entered, .good), "",
        .number(recovered, .good), .number(counts[2].1, .warn), .number(counts[3].1, .bad),
      ],
      drillDown: .rows(Breakdown(counts.map { ("\(path).\($0)", $1) })),
      bar: PercentText.share(recovered, in: entered).map { RowBar($0, .good) })
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

  func note(_ entered: Int) -> String {
    "\(CountText.of(entered)) entered, usual \(CountText.of(median ?? 0)), the median of \(of)"
  }
}

extension StyledText {
  /// Returns a share in a cell, or unknown if no line entered.
  fileprivate static func rate(_ point: FigureValues?, _ style: Style = .text) -> StyledText {
    guard let rate = point?[share: "rate"] else { return StyledText("unknown", .dim) }
    return StyledText(PercentText.of(rate), style)
  }
}
