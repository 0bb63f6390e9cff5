import Screen
import Subscriptions

/// The recovery panel: outcomes of paid lines that entered billing retry, and their time to recovery.
extension PanelContent {
  var recoveryPanel: [Block?] {
    [
      bars(
        "Entered billing retry \(window)", 40, of: figures["entered"],
        [
          ("entered", "entered", .accent), ("recovered", "recovered", .good),
          ("in retry", "still_retrying", .warn), ("lost", "lost", .bad),
        ]),
      card("MRR that entered retry \(window)", 38) {
        for (label, path) in [
          ("Entered", "entered"), ("Recovered", "recovered"), ("In retry", "still_retrying"),
          ("Lost", "lost"),
        ] {
          Figure.money(label, figures[amounts: "mrr.\(path)"], of: figures[path], opens: path)
        }
      }, days, standing,
      Block(
        "With and without a grace period",
        .text(
          ["Grace is set in App Store Connect. Subscriptions paid in grace never enter billing retry."],
          indent: 0
        ), minimumColumns: 40), byGrace, stretches, byProduct,
    ]
  }

  // MARK: Time to recovery

  private var days: Block {
    let curves = ["curve", "curve_before", "with_grace.curve", "without_grace.curve"]
    func rate(_ title: String, _ curve: String, priority: Int) -> Column<FigureValues> {
      Column(.number(title, priority: priority)) { here in
        .rate(figures[parts: curve].first { $0["days"] == here["days"] })
      }
    }
    return Block(
      StyledText("Recovered within N days: entries that were N days old \(window)"), figures[parts: "curve"],
      [
        Column(.whole("Days")) { StyledText("\($0["days"]) d") },
        Column(.number("Rate")) { .rate($0, .strong) },
        .bar(.good) { $0["of"] < 10 ? nil : $0[share: "rate"] },
        Column(.number("Count", priority: 3)) {
          StyledText("\(CountText.of($0["recovered"])) of \(CountText.of($0["of"]))", .dim)
        }, rate("Before", curves[1], priority: 1), rate("Grace", curves[2], priority: 2),
        rate("Without", curves[3], priority: 2),
      ], emptyText: "No subscriptions entered billing retry.", minimumColumns: 60, in: glyphs
    ) { here in
      let days = here["days"]
      let counts = curves.flatMap { curve in
        ["recovered", "of"].map { ("\(curve).\(days).\($0)", curve == "curve" ? here[$0] : 0) }
      }
      return Listing.Row(id: "curve.\(days)", drillDown: .rows(Breakdown(counts)))
    }
  }

  // MARK: Still in billing retry

  private var standing: Block {
    let days = Column<FigureValues>(.whole("Since entry").named("days")) { band in
      let from = band["from_days"]
      let to = band[value: "to_days"].map { _ in band["to_days"] }
      return StyledText(to.map { "\(from)\(glyphs.dash)\($0) d" } ?? "from \(from) d")
    }
    return parts(
      "In billing retry \(now)", 40, "standing", days, span: .card,
      emptyText: "No subscriptions in billing retry.", (nowTitle, "lines"), .bad,
      [.money("MRR at risk", "mrr", of: "lines", priority: 1, in: glyphs)]
    ) { Listing.Row(id: "\($0["from_days"])", drillDown: .rows(Breakdown("standing.\($0["from_days"])"))) }
  }

  // MARK: By product, week or month, and grace

  /// Row about the lines that entered billing retry, for one product, week, month or setting of grace.
  private struct Entered {
    let name: StyledText
    let path: String
    let values: FigureValues
    var object = "outcomes"
    var note: String?

    subscript(outcome: String) -> Int { values["\(object).\(outcome)"] }
  }

  private var byProduct: Block {
    let parts = figures[parts: "by_product"].map {
      Entered(
        name: StyledText(formatter.products.name(of: $0.product)), path: "by_product.\($0.product)",
        values: $0)
    }
    return list(
      "Entered \(window) by product", .product(of: formatter.products, priority: 0), parts, span: .main)
  }

  private var stretches: Block {
    let unit = figures[parts: "by_week"].isEmpty ? "month" : "week"
    let parts = figures[parts: "by_\(unit)"]
    // Median of the shown weeks or months; `nil` if there are fewer than four.
    let counts = parts.map { $0["outcomes.entered"] }.sorted()
    let usual = counts.count < 4 ? nil : counts[(counts.count - 1) / 2]
    let entered = parts.map { part in
      let (name, count) = (part[text: unit] ?? "", part["outcomes.entered"])
      guard let usual, count > 2 * usual, count >= 10 else {
        return Entered(name: StyledText(name), path: "by_\(unit).\(name)", values: part)
      }
      return Entered(
        name: StyledText("\(name) \(glyphs.warning)", .warn), path: "by_\(unit).\(name)", values: part,
        note:
          "\(CountText.of(count)) entered; usually \(CountText.of(usual)) (median of \(parts.count) \(unit)s)"
      )
    }
    let legend = entered.contains { $0.note != nil } ? ", \(glyphs.warning) over twice the usual" : ""
    return list(
      "Entered \(window) by \(unit)\(legend)", .whole(unit == "week" ? "Week of" : "Month"), entered)
  }

  private var byGrace: Block {
    let parts = [("with", "with_grace"), ("without", "without_grace")].map { name, path in
      Entered(
        name: StyledText(name), path: "\(path).outcomes", values: figures, object: "\(path).outcomes")
    }
    return list("Billing retry \(window), with and without a grace period", .whole("Grace"), parts)
  }

  private func list(
    _ title: String, _ first: ListingColumn, _ parts: [Entered], span: Block.Span = .card
  ) -> Block {
    Block(
      StyledText(title), parts,
      [
        Column(first) { $0.name }, .count("Entered", .strong) { $0["entered"] },
        Column(.number("Rate", priority: 1)) { .share($0["recovered"], of: $0["entered"], .good) },
        .bar(.good) { PercentText.share($0["recovered"], in: $0["entered"]) },
        .count("Recovered", .good, priority: 2) { $0["recovered"] },
        .count("In retry", .warn, priority: 4) { $0["still_retrying"] }.named("still_retrying"),
        .count("Lost", .bad, priority: 3) { $0["lost"] },
      ], emptyText: "No subscriptions entered billing retry.", span: span, minimumColumns: 58, in: glyphs
    ) { part in
      let outcomes = ["entered", "recovered", "still_retrying", "lost"]
      return Listing.Row(
        id: part.path, drillDown: .rows(Breakdown(outcomes.map { ("\(part.path).\($0)", part[$0]) })),
        note: part.note)
    }
  }
}

extension StyledText {
  fileprivate static func rate(_ point: FigureValues?, _ style: Style = .text) -> StyledText? {
    guard let point, point["of"] >= 10 else { return nil }
    return point[share: "rate"].map { StyledText(PercentText.of($0), style) }
  }
}
