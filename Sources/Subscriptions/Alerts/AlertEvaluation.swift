/// Evaluates alerts at an instant.
///
/// The usual value of a figure is its median over eight windows of its length, one to eight weeks earlier.
public struct AlertEvaluation {
  public static let weeks = 8

  /// Template for all questions: it provides the instant, the environment and the settings.
  private var question: Question
  private let firstPurchase: Instant?
  private let currencies: Set<CurrencyCode>
  private let reconciliation: Reconciliation?

  /// - Parameter reconciliation: Comparison with Apple's reports; `nil` if unavailable or not needed.
  public init(
    _ question: Question, firstPurchase: Instant?, currencies: Set<CurrencyCode> = [],
    reconciliation: Reconciliation? = nil
  ) {
    (self.question, self.firstPurchase, self.currencies) = (question, firstPurchase, currencies)
    self.reconciliation = reconciliation
    self.question.limit = 0
  }

  /// Returns the state of each alert; `ask` computes a report, once for each distinct question.
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
    let now =
      alert.condition.figure.isOfReconciliation
      ? reconciliation.map { [ReportValue.count(Double($0.largestRest))] } ?? []
      : try figures(alert.condition.figure, of: ask(asked))
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
      // Uses the first currency with a value that raises the alert, or else the first currency.
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

  /// Returns the value with the kind and currency of `limit`, else 0 for an amount and `nil` for other kinds.
  private static func value(_ values: [ReportValue], comparableTo limit: ReportValue) -> ReportValue? {
    values.first { $0.kind == limit.kind && $0.currency == limit.currency }
      ?? (limit.kind == .amount ? limit.with(0) : nil)
  }

  /// Returns a figure's value or, for an amount, its values by currency with the converted total first.
  private func figures(_ figure: AlertFigure, of report: Report) -> [ReportValue] {
    let entries = ReportValues(report).entries(figure.path)
    let sorted = entries.filter(\.isConverted) + entries.filter { !$0.isConverted }
    var seen: Set<CurrencyCode?> = []
    return sorted.compactMap(\.value).filter { seen.insert($0.currency).inserted }
  }

  /// Returns the values to compare with usual values: `now`, and 0 for each currency that only `earlier` has.
  ///
  /// If one of these values is in the reporting currency, only that value is returned.
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

  /// Returns the figure's values one to eight weeks earlier, by week; `nil` if any week's values are unknown.
  private func earlier<Failure: Error>(
    _ asked: Question, _ figure: AlertFigure, _ ask: (Question) throws(Failure) -> Report
  ) throws(Failure) -> [[ReportValue]]? {
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

  /// Returns the median of the weeks' values that have the kind and currency of `value`.
  ///
  /// A missing count or amount counts as 0. If a share is missing in any week, the result is `nil`.
  private static func median(of value: ReportValue, in weeks: [[ReportValue]]) -> ReportValue? {
    let same = weeks.map { week in week.first { $0.kind == value.kind && $0.currency == value.currency } }
    if value.kind == .share, same.contains(nil) { return nil }
    let numbers = same.map { $0?.number ?? 0 }.sorted()
    let middle = numbers.count / 2
    return value.with((numbers[middle - 1] + numbers[middle]) / 2)
  }
}
