import Screen
import Subscriptions

extension [AlertState] {
  /// Returns the list of alerts: raised ones first, then those with an unknown verdict, then clear ones.
  func block(in formatter: DisplayFormatter) -> Block {
    let glyphs = formatter.glyphs
    let order = indices.sorted { (self[$0].verdict.rank, $0) < (self[$1].verdict.rank, $1) }
    let states = order.map { (index: $0, state: self[$0]) }
    return Block(
      title, states,
      [
        Column(.name("Alert", least: 8, most: 40)) { StyledText($0.state.alert.name.harmless) },
        Column(.whole("State")) { $0.state.mark(in: glyphs) },
        Column(.number("Now")) {
          StyledText(ValueText.of($0.state.value), $0.state.value == nil ? .dim : .strong)
        }, Column(.number("Limit", priority: 1)) { StyledText(ValueText.of($0.state.limit), .dim) },
        .minute(.whole("Raised since", priority: 2), in: formatter) { $0.state.raisedSince },
        .minute(.whole("Sent", priority: 4), in: formatter) { $0.state.toldAt },
        Column(.name("Condition", least: 12, most: 80, priority: 3)) {
          StyledText($0.state.alert.condition.text.harmless, .dim)
        },
      ], emptyText: "No alerts are configured. See subtop help alerts.",
      span: .main, in: glyphs
    ) {
      Listing.Row(
        id: $0.state.alert.name, drillDown: .alert($0.index), note: $0.state.sentence.harmless)
    }
  }

  private var title: StyledText {
    let raised = count(where: \.isRaised)
    return [
      TextSpan("Alerts", .heading),
      TextSpan(": \(CountText.of(raised)) raised of \(CountText.of(count))", raised > 0 ? .bad : .text),
    ]
  }
}

extension AlertState {
  fileprivate func mark(in glyphs: GlyphSet) -> StyledText {
    switch verdict {
    case .raised: StyledText("\(glyphs.warning) raised", Style(.bad, .bold))
    case .clear: StyledText("\(glyphs.tick) clear", .good)
    case .unknown: StyledText("unknown", .dim)
    }
  }
}

extension AlertState.Verdict {
  fileprivate var rank: Int { self == .raised ? 0 : self == .unknown ? 1 : 2 }
}

public func text(
  of alerts: [AlertState], width: Int = 80, glyphs: GlyphSet = .unicode, zone: Zone = .utc
) -> String {
  let formatter = DisplayFormatter(glyphs: glyphs, zone: zone)
  let lines = alerts.filter { $0.verdict != .clear }.map { StyledText($0.inWords) }
  let sentences = lines.isEmpty ? [] : [Block("", .text(lines))]
  return formatter.printed([alerts.block(in: formatter)] + sentences, under: [], width)
}

extension AlertState {
  /// Alert's name and `sentence`; the name is omitted if the figure's name contains it.
  public var inWords: String { "\(prefix)\(sentence)".harmless }
}

extension AlertState {
  /// Sentence that gives the alert's verdict and its reason, for `subtop status`, commands and webhooks.
  public var sentence: String {
    let condition = alert.condition
    let product = condition.product.map { " of \($0)" } ?? ""
    let subject = "\(figureName)\(product)\(window)"
    if let problem { return "\(subject): \(problem.sentence)" }
    guard let value else { return "\(subject): \(missing)" }
    guard let limit else { return "\(subject): \(ValueText.of(value)); \(missing)" }
    let words = condition.relation.words
    let held: String =
      switch condition.limit {
      case .fixed, .amount: ValueText.of(limit)
      case .usual:
        // Short enough for one line of a narrow terminal.
        "\(ValueText.of(limit)), \(condition.usualWords) "
          + "(\(ValueText.of(usual)), median of \(AlertEvaluation.weeks) \(at.civilDate.weekdayName)s)"
      }
    return
      "\(subject): \(ValueText.of(value)), \(isRaised ? words.holding : words.failing) \(held)"
  }

  /// Short form for the dashboard's header, such as `churn rate 7.1 % in 28 d > 6.0 %`.
  var short: String {
    let words = "\(figureName) \(ValueText.of(value))\(window)"
    return "\(prefix)\(words) \(alert.condition.relation.rawValue) \(ValueText.of(limit))"
  }

  /// Alert's name and a colon; empty if the figure's name contains the alert's name.
  var prefix: String {
    figureName.lowercased().contains(alert.name.lowercased()) ? "" : "\(alert.name): "
  }

  var figureName: String { alert.condition.figure.words ?? alert.condition.figure.name }

  private var window: String {
    let condition = alert.condition
    let standard = condition.figure.isOfWindow ? AlertCondition.standardDays : nil
    guard let days = condition.days ?? standard else { return "" }
    return days == 1 ? " in 24 h" : " in \(CountText.of(days)) d"
  }

  private var missing: String {
    guard value != nil else { return "unknown" }
    return "the usual value is unknown, because it needs \(AlertEvaluation.weeks) weeks of history"
  }
}

extension AlertCondition {
  /// Limit as written in the configuration, such as `3 × usual`.
  fileprivate var usualWords: String {
    let written = text.split(separator: " ")
    let start = written.firstIndex { Relation(rawValue: String($0)) != nil }
    return written.dropFirst(start.map { $0 + 1 } ?? 0).joined(separator: " ")
  }
}

extension AlertCondition.Relation {
  fileprivate var words: (holding: String, failing: String) {
    switch self {
    case .above: ("above", "not above")
    case .below: ("below", "not below")
    case .atLeast: ("at least", "less than")
    case .atMost: ("at most", "more than")
    }
  }
}

extension CivilDate {
  var weekdayName: String {
    ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"][weekday]
  }
}
