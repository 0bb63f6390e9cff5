import Screen
import Subscriptions

/// The churn panel: lost lines by reason, trials, arrivals and the outcome of due periods.
struct ChurnPanel {
  let figures: ChurnFigures
  let report: Report
  let wording: Wording

  private var glyphs: GlyphSet { wording.glyphs }

  var blocks: [Block] {
    [
      report.chart("Lost, paid or in retry", ["lost_paid"], .columns, .bad, in: wording),
      report.chart("Periods begun new", ["arrivals.initial"], .columns, .good, in: wording), intents, lost,
      arrivals,
      renewals,
    ].compactMap(\.self)
  }

  private func flow(_ figure: String, _ rise: Course.Rise) -> Course? {
    report.trend.flow(figure, rise: rise, in: glyphs)
  }

  private var intents: Block {
    Block(
      StyledText("Lost \(report.windowText) by reason"),
      .bars(figures.byIntent.bars(refunded: figures.refunded)), minimumColumns: 50)
  }

  /// Losses by reason, which add up to the total. The rate is in the title, because the change beside the
  /// total is that of the count.
  private var lost: Block {
    let whole = Figure.count("Paid or in retry", figures.lostPaid, Style(.bad, .bold))
    let rate = figures.churnRate == nil ? "" : "\(PercentText.of(figures.churnRate)) "
    return Block(
      figures.baseAtStart == 0
        ? StyledText("Lost") : StyledText("Lost \(rate)of \(CountText.of(figures.baseAtStart))"),
      .figures(
        [
          whole.opening([
            ("lost_paid", figures.lostPaid), ("churn_rate", figures.lostPaid),
            ("base_at_start", figures.baseAtStart), ("voluntary", figures.voluntary),
            ("involuntary", figures.involuntary),
          ]).following(flow("lost_paid", .bad))
        ] + LostParts(figures.byIntent, refunded: figures.refunded.paid).figures(refundedOf: nil)),
      minimumColumns: 30)
  }

  /// Trials that ended and periods that began. No kind of period includes another.
  private var arrivals: Block {
    let (trials, arrivals) = (figures.trials, figures.arrivals)
    let rate = PercentText.of(trials.converted, in: trials.ended, unknown: "")
    return Block(
      "Trials, periods bought",
      .figures([
        .count("Trials ended", trials.ended).opening([
          ("trials.ended", trials.ended), ("lost_trial", figures.lostTrial),
        ]).following(flow("trials.ended", .neutral)),
        Figure(
          "converted",
          [
            TextSpan("\(rate)  ", .dim),
            TextSpan(CountText.of(trials.converted), trials.ended == 0 ? .dim : .good),
          ],
          isPart: true, opens: "trials.converted"),
        .part("converted late", trials.convertedLate, opens: "trials.converted_late"),
        .count("Periods begun new", arrivals.initial, Style(.good, .bold), opens: "arrivals.initial")
          .following(flow("arrivals.initial", .good)),
        .count("Periods renewed", arrivals.renewal, opens: "arrivals.renewal")
          .following(flow("arrivals.renewal", .good)),
        .count("Periods after retry", arrivals.recovery, .good, opens: "arrivals.recovery"),
        .count(Flow.returned.words, arrivals.unattributed, opens: "arrivals.unattributed")
          .shortened(Flow.returned.shortWords),
        .count("Periods resubscribed", arrivals.reactivation, .good, opens: "arrivals.reactivation"),
      ]), minimumColumns: 28)
  }

  private var renewals: Block {
    let rows = figures.renewals.map { renewals in
      Listing.Row(
        id: renewals.period?.iso8601 ?? "unknown",
        [
          StyledText(renewals.period?.words ?? "unknown", renewals.period == nil ? .dim : .text),
          .number(renewals.due, .strong), .number(renewals.renewed, .good),
          .number(renewals.recovered, .good),
          .number(renewals.pending, .warn), .number(renewals.lost, .bad),
          .share(renewals.paid, of: renewals.due), "",
        ], opening: .rows(renewals.breakdown),
        bar: PercentText.share(renewals.paid, in: renewals.due).map { Listing.RowBar($0, .good) })
    }
    return Block(
      StyledText("Renewals due \(report.windowText)"),
      .listing(
        Listing(
          [
            .whole("Period"), .number("Due"), .number("Renewed", priority: 1),
            // Renewed, recovered, pending and lost add up to due.
            .number("Recovered", priority: 3).shortened("Recov."),
            .number("Pending", priority: 2).shortened("Pend."),
            .number("Lost", priority: 1), .number("Rate"), .bar(),
          ], rows, emptyText: "No paid period came due.", in: glyphs)), span: .main, minimumColumns: 52)
  }
}

extension [ChurnFigures.ByIntent] {
  fileprivate func bars(refunded: ChurnFigures.Split) -> [FigureBar] {
    var parts = map {
      (name: $0.reasonWords, paid: $0.paid, trial: $0.trial, style: $0.style, path: $0.path)
    }
    parts.append(("refunded", refunded.paid, refunded.trial, .bad, "refunded"))
    let paid = CountText.aligned(parts.map(\.paid))
    let trial = CountText.aligned(parts.map(\.trial))
    return parts.indices.map { index in
      let part = parts[index]
      let sum = part.paid + part.trial
      let bar = Bar(
        label: TextSpan(part.name, sum == 0 ? .dim : .text), value: Double(sum),
        text: "\(paid[index]) paid \(trial[index]) trial", part.style)
      let figures = [("\(part.path).paid", part.paid), ("\(part.path).trial", part.trial)]
      return FigureBar(bar: bar, opening: .rows(Breakdown(figures)))
    }
  }
}

extension ChurnFigures.Renewals {
  var paid: Int { renewed + recovered }

  var breakdown: Breakdown {
    let path = "renewals.\(period?.iso8601 ?? "unknown")"
    return Breakdown([
      ("\(path).due", due), ("\(path).renewed", renewed), ("\(path).recovered", recovered),
      ("\(path).pending", pending), ("\(path).lost", lost),
    ])
  }
}

extension ChurnFigures.ByIntent {
  var path: String { "by_intent.\(intent ?? "unknown")" }

  fileprivate var style: Style {
    switch intent {
    case "1": .warn
    case "2": .bad
    case nil: .dim
    default: .info
    }
  }
}

extension Period {
  /// `1 month`, `3 days`.
  var words: String {
    let name =
      switch unit {
      case .day: "day"
      case .week: "week"
      case .month: "month"
      case .year: "year"
      }
    return CountText.of(count, name)
  }
}
