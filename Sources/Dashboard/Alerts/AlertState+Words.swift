import Subscriptions

extension AlertState {
  /// Sentence that gives the alert's verdict and its reason, for `subtop status`, commands and webhooks.
  public var sentence: String {
    let condition = alert.condition
    let product = condition.product.map { " of \($0)" } ?? ""
    let subject = "\(figureName)\(product)\(window)"
    if let problem { return "\(subject): \(problem.sentence)" }
    guard let value else { return "\(subject): \(missing)" }
    guard let limit else { return "\(subject): \(ValueText.of(value)); \(missing)" }
    let relation = isRaised ? condition.relation.holding : condition.relation.failing
    let held: String =
      switch condition.limit {
      case .fixed, .amount: ValueText.of(limit)
      case .usual:
        // Short enough for one line of a narrow terminal; `subtop help alerts` explains the rest.
        "\(ValueText.of(limit)), \(condition.usualWords) "
          + "(\(ValueText.of(usual)), median of \(AlertEvaluation.weeks) \(at.weekdayName)s)"
      }
    return "\(subject): \(ValueText.of(value)), \(relation) \(held)"
  }

  /// Short form for the dashboard's header, such as `churn rate 7.1 % in 28 d > 6.0 %`.
  ///
  /// Starts with the alert's name unless the name of its figure contains it.
  var short: String {
    let words = "\(figureName) \(ValueText.of(value))\(window)"
    return "\(prefix)\(words) \(alert.condition.relation.rawValue) \(ValueText.of(limit))"
  }

  /// Alert's name and a colon; empty if the name of the figure already contains the alert's name.
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
    guard value != nil else { return "not known" }
    return "what is usual is not known, for want of \(AlertEvaluation.weeks) weeks of history"
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
  fileprivate var holding: String {
    switch self {
    case .above: "above"
    case .below: "below"
    case .atLeast: "at least"
    case .atMost: "at most"
    }
  }

  fileprivate var failing: String {
    switch self {
    case .above: "not above"
    case .below: "not below"
    case .atLeast: "less than"
    case .atMost: "more than"
    }
  }
}

extension Instant {
  fileprivate var weekdayName: String {
    ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"][civilDate.weekday]
  }
}
