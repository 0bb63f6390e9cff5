import Screen
import Subscriptions

/// The churn panel: lost lines by reason, trials, arrivals and the outcome of due periods.
struct ChurnPanel {
  let figures: FigureValues
  let report: Report
  let formatter: DisplayFormatter

  private var glyphs: GlyphSet { formatter.glyphs }

  var blocks: [Block] {
    [
      report.chart("Lost, paid or in retry", ["lost_paid"], .columns, .bad, in: formatter),
      report.chart("Periods begun new", ["arrivals.initial"], .columns, .good, in: formatter), intents, lost,
      arrivals,
      renewals,
    ].compactMap(\.self)
  }

  /// Lost lines by Apple's reason, and refunded ones.
  private var intents: Block {
    let parts =
      figures[parts: "by_intent"].map {
        (name: $0.reasonWords, paid: $0["paid"], trial: $0["trial"], style: $0.style, path: $0.intentPath)
      } + [("refunded", figures["refunded.paid"], figures["refunded.trial"], .bad, "refunded")]
    let (paid, trial) = (CountText.aligned(parts.map(\.paid)), CountText.aligned(parts.map(\.trial)))
    let bars = parts.enumerated().map { index, part in
      let sum = part.paid + part.trial
      let bar = Bar(
        label: TextSpan(part.name, sum == 0 ? .dim : .text), value: Double(sum),
        text: "\(paid[index]) paid \(trial[index]) trial", part.style)
      let figures = [("\(part.path).paid", part.paid), ("\(part.path).trial", part.trial)]
      return FigureBar(bar: bar, drillDown: .rows(Breakdown(figures)))
    }
    return Block(StyledText("Lost \(report.windowText) by reason"), .bars(bars), minimumColumns: 50)
  }

  /// Losses by reason, which add up to the total. The rate is in the title, because the change beside the
  /// total is that of the count.
  private var lost: Block {
    let whole = figures.count("Paid or in retry", "lost_paid", Style(.bad, .bold))
    let (churnRate, base) = (figures[share: "churn_rate"], figures["base_at_start"])
    let rate = churnRate == nil ? "" : "\(PercentText.of(churnRate)) "
    return Block(
      base == 0 ? StyledText("Lost") : StyledText("Lost \(rate)of \(CountText.of(base))"),
      .figures(
        [
          whole.following(report, in: glyphs).drillDown(
            [("lost_paid", figures["lost_paid"]), ("churn_rate", figures["lost_paid"])]
              + figures.counted(["base_at_start", "voluntary", "involuntary"]))
        ] + LostParts(figures, refunded: figures["refunded.paid"]).figures(refundedOf: nil)),
      minimumColumns: 30)
  }

  /// Trials that ended and periods that began. No kind of period includes another.
  private var arrivals: Block {
    let (ended, converted) = (figures["trials.ended"], figures["trials.converted"])
    let rate = PercentText.of(converted, in: ended, unknown: "")
    return Block(
      "Trials, periods bought",
      .figures([
        figures.count("Trials ended", "trials.ended").following(report, in: glyphs)
          .drillDown(figures.counted(["trials.ended", "lost_trial"])),
        Figure(
          "converted",
          [TextSpan("\(rate)  ", .dim), TextSpan(CountText.of(converted), ended == 0 ? .dim : .good)],
          isPart: true, opens: "trials.converted"),
        figures.part("converted late", "trials.converted_late"),
        figures.count("Periods begun new", "arrivals.initial", Style(.good, .bold))
          .following(report, in: glyphs),
        figures.count("Periods renewed", "arrivals.renewal").following(report, in: glyphs),
        figures.count("Periods after retry", "arrivals.recovery", .good),
        figures.count(Flow.returned.words, "arrivals.unattributed"),
        figures.count("Periods resubscribed", "arrivals.reactivation", .good),
      ]), minimumColumns: 28)
  }

  private var renewals: Block {
    let rows = figures[parts: "renewals"].map { renewals in
      let period = renewals.period
      return Listing.Row(
        id: period?.iso8601 ?? "unknown",
        [
          StyledText(period?.words ?? "unknown", period == nil ? .dim : .text),
          .number(renewals["due"], .strong), .number(renewals["renewed"], .good),
          .number(renewals["recovered"], .good), .number(renewals["pending"], .warn),
          .number(renewals["lost"], .bad), .share(renewals.paid, of: renewals["due"]), "",
        ], drillDown: .rows(renewals.renewalBreakdown),
        bar: PercentText.share(renewals.paid, in: renewals["due"]).map { RowBar($0, .good) })
    }
    return Block(
      StyledText("Renewals due \(report.windowText)"),
      .listing(
        Listing(
          [
            .whole("Period"), .number("Due"), .number("Renewed", priority: 1),
            // Renewed, recovered, pending and lost add up to due.
            .number("Recovered", priority: 3),
            .number("Pending", priority: 2),
            .number("Lost", priority: 1), .number("Rate"), .bar(),
          ], rows, emptyText: "No paid period came due.", in: glyphs)), span: .main, minimumColumns: 52)
  }
}

/// Renewals of one period.
extension FigureValues {
  /// `nil` if unknown.
  var period: Period? { self[text: "period"].flatMap { Period(parsing: $0) } }

  var renewalPath: String { "renewals.\(self[text: "period"] ?? "unknown")" }

  /// Number of periods that were paid, in time or later.
  fileprivate var paid: Int { self["renewed"] + self["recovered"] }

  /// Outcomes of the periods that came due.
  var renewalBreakdown: Breakdown {
    Breakdown(
      counted(["due", "renewed", "recovered", "pending", "lost"]).map { ("\(renewalPath).\($0)", $1) })
  }
}

/// Lines lost by one of Apple's intents.
extension FigureValues {
  var intentPath: String { "by_intent.\(self[text: "intent"] ?? "unknown")" }
  var reasonWords: String {
    self[text: "intent"].map { ExpirationIntent($0).words } ?? LossKind.unknown.words
  }

  fileprivate var style: Style {
    switch self[text: "intent"] {
    case "1": .warn
    case "2": .bad
    case nil: .dim
    default: .info
    }
  }
}

/// Losses by reason, which add up to the total.
struct LostParts {
  private let byIntent: [FigureValues]
  private let refunded: Int

  init(_ figures: FigureValues, refunded: Int) {
    (byIntent, self.refunded) = (figures[parts: "by_intent"], refunded)
  }

  /// - Parameter panel: Panel of the refund figure; `nil` is the current panel.
  func figures(refundedOf panel: Panel?) -> [Figure] {
    func part(_ intent: String?, _ style: Style) -> Figure {
      var entry = FigureValues()
      entry[text: "intent"] = intent
      return self.part(byIntent.first { $0[text: "intent"] == intent } ?? entry, style)
    }
    let others = byIntent.filter { !["1", "2", "3", nil].contains($0[text: "intent"]) && $0["paid"] > 0 }
    var refund = Figure.part("refunded", refunded, .bad)
    refund.drillDown = .rows(Breakdown("refunded.paid", of: panel))
    return [part("1", .warn), part("2", .bad), part("3", .bad)] + others.map { self.part($0, .text) }
      + [refund, part(nil, .dim)]
  }

  private func part(_ entry: FigureValues, _ style: Style) -> Figure {
    .part(entry.reasonWords, entry["paid"], style, opens: "\(entry.intentPath).paid")
  }
}
