import Subscriptions

extension AlertState {
  /// Why it is raised or not, in a sentence: what `subtop status` says, and what a command or a webhook is told.
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
        // As short as a line of a narrow terminal; `subtop help alerts` has the rest.
        "\(ValueText.of(limit)), \(condition.usualWords) "
          + "(\(ValueText.of(usual)), median of \(AlertEvaluation.weeks) \(at.weekdayName)s)"
      }
    return "\(subject): \(ValueText.of(value)), \(relation) \(held)"
  }

  /// In a few words, for the dashboard's head: `churn rate 7.1 % in 28 d > 6.0 %`, with the alert's name before where it says more.
  var short: String {
    let words = "\(figureName) \(ValueText.of(value))\(window)"
    return "\(prefix)\(words) \(alert.condition.relation.rawValue) \(ValueText.of(limit))"
  }

  /// Its name, where that is more than its figure's.
  var prefix: String {
    figureName.lowercased().contains(alert.name.lowercased()) ? "" : "\(alert.name): "
  }

  /// What its figure is, for people.
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
  /// `3 × usual`, as somebody wrote it.
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
  /// Of the day in UTC.
  fileprivate var weekdayName: String {
    ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"][civilDate.weekday]
  }
}
