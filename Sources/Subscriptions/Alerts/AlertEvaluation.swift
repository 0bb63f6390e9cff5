/// Holds alerts against the figures of an instant.
///
/// What is usual is the median of the figure at the same time of the same weekday, one week to eight weeks before, each of as long a window.
public struct AlertEvaluation {
  /// Weeks that say what is usual.
  public static let weeks = 8

  /// Whose instant, environment and settings the figures are of.
  private var question: Question
  /// Of any subscription; nil where there is none.
  private let firstPurchase: Instant?
  /// In which there are prices.
  private let currencies: Set<CurrencyCode>

  public init(_ question: Question, firstPurchase: Instant?, currencies: Set<CurrencyCode> = []) {
    (self.question, self.firstPurchase, self.currencies) = (question, firstPurchase, currencies)
    self.question.limit = 0
  }

  /// - Parameter ask: answers a panel's question; each is asked once.
  public func states<Failure: Error>(
    of alerts: [Alert], _ ask: (Question) throws(Failure) -> Report
  ) throws(Failure) -> [AlertState] {
    var answers: [Question: Report] = [:]
    var states: [AlertState] = []
    for alert in alerts {
      states.append(
        try state(of: alert) { question throws(Failure) in
          if let known = answers[question] { return known }
          let report = try ask(question)
          answers[question] = report
          return report
        })
    }
    return states
  }

  private func state<Failure: Error>(
    of alert: Alert, _ ask: (Question) throws(Failure) -> Report
  ) throws(Failure) -> AlertState {
    let asked = alert.question(question)
    let now = try figures(alert.condition.figure, of: ask(asked))
    var state = AlertState(alert, at: question.at)
    switch alert.condition.limit {
    case .fixed(let limit): state.hold(Self.value(now, comparableTo: limit), against: limit)
    case .amount(let micros):
      guard let currency = question.reportingCurrency ?? (currencies.count == 1 ? currencies.first : nil)
      else {
        if !currencies.isEmpty { state.problem = .currency(alert.condition.figure) }
        return state
      }
      let limit = ReportValue.amount(Money(micros: micros, currency: currency))
      state.hold(Self.value(now, comparableTo: limit), against: limit)
    case .usual(let times):
      let earlier = try earlier(asked, alert.condition.figure, ask)
      // Of an amount in several currencies the first that is out of the usual, or else the first.
      let states = inQuestion(now, earlier ?? []).map { value in
        var state = state
        state.usual = earlier.flatMap { Self.median(of: value, in: $0) }
        state.hold(value, against: state.usual.map { $0.with($0.number * times) })
        return state
      }
      state = states.first(where: \.isRaised) ?? states.first ?? state
    }
    return state
  }

  /// What a limit is held against: of an amount of which there is nothing in its currency that; nil where the figure is not known.
  private static func value(_ values: [ReportValue], comparableTo limit: ReportValue) -> ReportValue? {
    values.first { $0.kind == limit.kind && $0.currency == limit.currency }
      ?? (limit.kind == .amount ? limit.with(0) : nil)
  }

  /// The figure, of an amount once in each currency: in the reporting currency all of it.
  private func figures(_ figure: AlertFigure, of report: Report) -> [ReportValue] {
    let entries = ReportValues(report).entries(figure.path)
    let sorted = entries.filter(\.isConverted) + entries.filter { !$0.isConverted }
    var seen: Set<CurrencyCode?> = []
    return sorted.compactMap(\.value).filter { seen.insert($0.currency).inserted }
  }

  /// What is held against what was usual: where there is a reporting currency, what is told in it; also what there was and is no more.
  private func inQuestion(_ now: [ReportValue], _ earlier: [[ReportValue]]) -> [ReportValue] {
    var values = now
    for value in earlier.joined() where value.kind == .amount {
      if !values.contains(where: { $0.currency == value.currency }) { values.append(value.with(0)) }
    }
    guard let reporting = question.reportingCurrency,
      let whole = values.first(where: { $0.currency == reporting })
    else { return values }
    return [whole]
  }

  /// The figure at the same time of the same weekday in each of the weeks before; nil where not all of them are known.
  private func earlier<Failure: Error>(
    _ asked: Question, _ figure: AlertFigure, _ ask: (Question) throws(Failure) -> Report
  ) throws(Failure) -> [[ReportValue]]? {
    // Freshness is of the instant that is asked about, and nothing kept tells it of another.
    guard !figure.isOfEverything else { return nil }
    var all: [[ReportValue]] = []
    for week in 1...Self.weeks {
      var earlier = asked
      earlier.at = asked.at - Int64(week) * 7 * Milliseconds.day
      earlier.isLookingBack = true
      guard let firstPurchase, firstPurchase <= earlier.window.from else { return nil }
      let report = try ask(earlier)
      guard !report.couldNotKnow(figure.path) else { return nil }
      all.append(figures(figure, of: report))
    }
    return all
  }

  /// Of the values of one kind and currency; a week without any had none of it, but for a share, which is unknown then.
  private static func median(of value: ReportValue, in weeks: [[ReportValue]]) -> ReportValue? {
    var numbers: [Double] = []
    for week in weeks {
      let same = week.first { $0.kind == value.kind && $0.currency == value.currency }
      if same == nil, value.kind == .share { return nil }
      numbers.append(same?.number ?? 0)
    }
    numbers.sort()
    let middle = numbers.count / 2
    return value.with((numbers[middle - 1] + numbers[middle]) / 2)
  }
}

extension AlertState {
  fileprivate mutating func hold(_ value: ReportValue?, against limit: ReportValue?) {
    (self.value, self.limit) = (value, limit)
    guard let value, let limit else { return }
    verdict = alert.condition.relation.holds(value.number, limit.number) ? .raised : .clear
  }
}
