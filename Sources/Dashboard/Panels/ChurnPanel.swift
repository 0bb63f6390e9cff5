import Screen
import Subscriptions

/// The churn panel: lost lines by reason, trials, arrivals and the outcome of due periods.
extension PanelContent {
  var churnPanel: [Block?] {
    [
      chart("Lost, paid or in retry", ["lost_paid"], .columns, .bad),
      chart("New periods", ["arrivals.initial"], .columns, .good), intents, lost, arrivals, renewals,
    ]
  }

  private var intents: Block {
    let parts =
      figures[parts: "by_intent"].map {
        (name: $0.reasonWords, paid: $0["paid"], trial: $0["trial"], style: $0.style, path: $0.intentPath)
      } + [("refunded", figures["refunded.paid"], figures["refunded.trial"], .bad, "refunded")]
    let (paid, trial) = (CountText.aligned(parts.map(\.paid)), CountText.aligned(parts.map(\.trial)))
    let bars = parts.enumerated().map { index, part in
      FigureBar(
        part.name, part.paid + part.trial, part.style, text: "\(paid[index]) paid \(trial[index]) trial",
        drillDown: .rows(Breakdown([("\(part.path).paid", part.paid), ("\(part.path).trial", part.trial)])))
    }
    return Block(StyledText("Lost \(window) by reason"), .bars(bars), minimumColumns: 50)
  }

  /// Losses by reason, with the churn rate in the title; the trend beside the total compares counts of lines.
  private var lost: Block {
    let (churnRate, base) = (figures[share: "churn_rate"], figures["base_at_start"])
    let rate = churnRate == nil ? "" : "\(PercentText.of(churnRate)) "
    return card(base == 0 ? "Lost" : "Lost \(rate)of \(CountText.of(base))", 30) {
      count("Paid or in retry", "lost_paid", Style(.bad, .bold), trend: true)
        .drillDown(
          [("lost_paid", figures["lost_paid"]), ("churn_rate", figures["lost_paid"])]
            + figures.counted(["base_at_start", "voluntary", "involuntary"]))
      lostParts(refunded: figures["refunded.paid"], of: nil)
    }
  }

  /// Returns the losses by reason; Enter on refunds opens rows of `panel` (`nil` for the current panel).
  @FigureBuilder func lostParts(refunded: Int, of panel: Panel?) -> [Figure] {
    let byIntent = figures[parts: "by_intent"]
    let main: [(String?, Style)] = [("1", .warn), ("2", .bad), ("3", .bad)]
    for (intent, style) in main { lostPart(intent, style) }
    for other in byIntent where other["paid"] > 0 && !["1", "2", "3", nil].contains(other[text: "intent"]) {
      lostPart(other[text: "intent"], .text)
    }
    Figure.part("refunded", refunded, .bad).drillDown(.rows(Breakdown("refunded.paid", of: panel)))
    lostPart(nil, .dim)
  }

  private func lostPart(_ intent: String?, _ style: Style) -> Figure {
    var none = FigureValues()
    none[text: "intent"] = intent
    let entry = figures[parts: "by_intent"].first { $0[text: "intent"] == intent } ?? none
    return .part(entry.reasonWords, entry["paid"], style, opens: "\(entry.intentPath).paid")
  }

  private var arrivals: Block {
    let (ended, converted) = (figures["trials.ended"], figures["trials.converted"])
    return card("Trials and purchases", 28) {
      count("Trials ended", "trials.ended", trend: true)
        .drillDown(figures.counted(["trials.ended", "lost_trial"]))
      Figure(
        "converted",
        [
          TextSpan("\(PercentText.of(converted, in: ended, unknown: ""))  ", .dim),
          TextSpan(CountText.of(converted), ended == 0 ? .dim : .good),
        ],
        isPart: true, opens: "trials.converted")
      part("converted late", "trials.converted_late")
      count("New periods", "arrivals.initial", Style(.good, .bold), trend: true)
      count("Renewed periods", "arrivals.renewal", trend: true)
      count("Recovered periods", "arrivals.recovery", .good)
      count("Unexplained returns", "arrivals.unattributed")
      count("Resubscriptions", "arrivals.reactivation", .good)
    }
  }

  private var renewals: Block {
    Block(
      StyledText("Renewals due \(window)"), figures[parts: "renewals"],
      [
        Column(.whole("Period")) { part in
          part.period.map { StyledText($0.words) } ?? StyledText("unknown", .dim)
        }, .count("Due", "due", .strong), .count("Renewed", "renewed", .good, priority: 1),
        // The columns from Renewed to Lost add up to Due.
        .count("Recovered", "recovered", .good, priority: 3),
        .count("Pending", "pending", .warn, priority: 2), .count("Lost", "lost", .bad, priority: 1),
        Column(.number("Rate")) { .share($0.paid, of: $0["due"]) },
        .bar(.good) { PercentText.share($0.paid, in: $0["due"]) },
      ], emptyText: "No paid period came due.", span: .main, minimumColumns: 52, in: glyphs
    ) { part in
      Listing.Row(
        id: part.period?.iso8601 ?? "unknown", drillDown: .rows(part.renewalBreakdown),
        note: "rate: \(part["renewed"].grouped) renewed on time, \(part["recovered"].grouped) recovered")
    }
  }
}

/// Figures about the renewals of periods of one length, such as a month.
extension FigureValues {
  var period: Period? { self[text: "period"].flatMap { Period(parsing: $0) } }

  var renewalPath: String { "renewals.\(self[text: "period"] ?? "unknown")" }

  fileprivate var paid: Int { self["renewed"] + self["recovered"] }

  var renewalBreakdown: Breakdown {
    Breakdown(
      counted(["due", "renewed", "recovered", "pending", "lost"]).map { ("\(renewalPath).\($0)", $1) })
  }
}

/// Figures about lines lost for one of Apple's expiration intents.
extension FigureValues {
  var intentPath: String { "by_intent.\(self[text: "intent"] ?? "unknown")" }
  fileprivate var reasonWords: String {
    switch self[text: "intent"] {
    // Short forms, because the full words do not fit into a card.
    case "3": "price increase"
    case "4": "removed from sale"
    case let intent?: ExpirationIntent(intent).words
    case nil: LossKind.unknown.words
    }
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
