import Screen
import Subscriptions

/// Lines that ended in the window by why they ended, and what became of the periods that came due in it.
struct ChurnPanel {
  let figures: ChurnFigures
  let report: Report
  let wording: Wording

  init(_ figures: ChurnFigures, _ report: Report, _ wording: Wording) {
    (self.figures, self.report, self.wording) = (figures, report, wording)
  }

  private var glyphs: GlyphSet { wording.glyphs }

  var blocks: [Block] {
    [
      report.chart("Lost paid", ["lost_paid"], .columns, .bad, in: wording),
      report.chart("Began new", ["arrivals.initial"], .columns, .good, in: wording), intents, lost, arrivals,
      renewals,
    ].compactMap(\.self)
  }

  private func flow(_ figure: String, _ rise: Course.Rise) -> Course? {
    report.trend.flow(figure, rise: rise, in: glyphs)
  }

  private var intents: Block {
    Block(
      StyledText("Lost \(report.windowText) by expiration intent"),
      .bars(figures.byIntent.bars(refunded: figures.refunded, inWords: true)), minimumColumns: 50)
  }

  private var lost: Block {
    Block(
      "Lost",
      .figures([
        .count("Lost paid", figures.lostPaid, Style(.bad, .bold), opens: "lost_paid")
          .following(flow("lost_paid", .bad)),
        .part("voluntary", figures.voluntary, opens: "voluntary"),
        .part("involuntary", figures.involuntary, .bad, opens: "involuntary"),
        .part("refunded", figures.refunded.paid, .bad, opens: "refunded.paid"),
        .count("Lost trials", figures.lostTrial, opens: "lost_trial").following(flow("lost_trial", .bad)),
        .count("Base at the start", figures.baseAtStart, opens: "base_at_start"),
        .share("Churn rate", figures.churnRate, opens: "churn_rate"),
      ]), minimumColumns: 28)
  }

  /// The trials that ended and the rows that began, whichever way.
  private var arrivals: Block {
    let (trials, arrivals) = (figures.trials, figures.arrivals)
    let rate = PercentText.of(trials.converted, in: trials.ended, unknown: "")
    return Block(
      "Trials and arrivals",
      .figures([
        .count("Trials ended", trials.ended, opens: "trials.ended").following(flow("trials.ended", .neutral)),
        Figure(
          "converted",
          [
            TextSpan("\(rate)  ", .dim),
            TextSpan(CountText.of(trials.converted), trials.ended == 0 ? .dim : .good),
          ],
          isPart: true, opens: "trials.converted"),
        .part("late, by 60 d", trials.convertedLate, opens: "trials.converted_late"),
        .count("Began new", arrivals.initial, Style(.good, .bold), opens: "arrivals.initial")
          .following(flow("arrivals.initial", .good)),
        .count("Renewed", arrivals.renewal, opens: "arrivals.renewal")
          .following(flow("arrivals.renewal", .good)),
        .part("recovered", arrivals.recovery, .good, opens: "arrivals.recovery"),
        .part("back, unknown why", arrivals.unattributed, opens: "arrivals.unattributed"),
        .part("resubscribed", arrivals.reactivation, .good, opens: "arrivals.reactivation"),
      ]), minimumColumns: 28)
  }

  private static func share(_ part: Int, of whole: Int) -> StyledText {
    StyledText(PercentText.of(part, in: whole), whole == 0 ? .dim : .strong)
  }

  private var renewals: Block {
    let rows = figures.renewals.map { renewals in
      Listing.Row(
        id: renewals.period?.iso8601 ?? "unknown",
        [
          StyledText(renewals.period?.words ?? "unlisted", renewals.period == nil ? .dim : .text),
          .number(renewals.due, .strong), .number(renewals.renewed, .good),
          .number(renewals.recovered, .good),
          .number(renewals.pending, .warn), .number(renewals.lost, .bad),
          Self.share(renewals.paid, of: renewals.due), "",
        ], opening: .rows(renewals.breakdown),
        bar: PercentText.share(renewals.paid, in: renewals.due).map { Listing.RowBar($0, .good) })
    }
    return Block(
      StyledText("Renewals due \(report.windowText)"),
      .listing(
        Listing(
          [
            .whole("Period"), .number("Due"), .number("Renewed", priority: 1),
            .number("Recovered", priority: 4), .number("Pending", priority: 3), .number("Lost", priority: 2),
            .number("Rate"),
            .bar(priority: 5),
          ], rows, emptyText: "No paid period came due.", in: glyphs)), span: .main, minimumColumns: 52)
  }
}

extension [ChurnFigures.ByIntent] {
  /// - Parameters:
  ///   - refunded: the row that is not of an intent; nil leaves it out.
  ///   - inWords: whether intents have their names and numbers say what they count, for which a narrow card has
  ///     no room.
  func bars(refunded: ChurnFigures.Split?, inWords: Bool) -> [FigureBar] {
    var parts = map {
      (
        name: inWords ? $0.label : $0.shortLabel, paid: $0.paid, trial: $0.trial, style: $0.style,
        path: $0.path
      )
    }
    if let refunded { parts.append(("refunded", refunded.paid, refunded.trial, .bad, "refunded")) }
    let paid = CountText.aligned(parts.map(\.paid))
    let trial = CountText.aligned(parts.map(\.trial))
    return parts.indices.map { index in
      let part = parts[index]
      let sum = part.paid + part.trial
      let bar = Bar(
        label: TextSpan(part.name, sum == 0 ? .dim : .text), value: Double(sum),
        text: inWords ? "\(paid[index]) paid \(trial[index]) trial" : "\(paid[index]) + \(trial[index])",
        part.style)
      let figures = [("\(part.path).paid", part.paid), ("\(part.path).trial", part.trial)]
      return FigureBar(bar: bar, opening: .rows(Breakdown(figures)))
    }
  }
}

extension ChurnFigures.Renewals {
  /// Those that were paid for, in time or later.
  var paid: Int { renewed + recovered }

  /// What became of the periods that came due.
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

  /// Apple's number and the meaning in a word or two.
  fileprivate var label: String {
    switch intent {
    case "1": "1 cancelled"
    case "2": "2 billing error"
    case "3": "3 price not agreed"
    case "4": "4 not for sale"
    case "5": "5 other"
    case let intent?: "\(intent) undocumented"
    case nil: "unknown"
    }
  }

  fileprivate var shortLabel: String {
    switch intent {
    case "1": "1 cancelled"
    case "2": "2 billing"
    case "3": "3 price"
    case "4": "4 no sale"
    case "5": "5 other"
    case let intent?: intent
    case nil: "unknown"
    }
  }

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
