/// What a class of positions or of changes adds to the figures of a panel that a trend follows.
struct TrendTerms {
  /// What of a class's sum is added to a figure, and how often.
  struct Term {
    var figure: String
    /// Nil of lines, and of all that is in the reporting currency.
    var currency: CurrencyCode?
    /// Nil is lines.
    var amount: RevenueTerm.Amount?
    var times: Int64
  }

  private let question: Question
  private let counting: PanelCounting
  private let groups: [FigureGroup]?

  init(_ question: Question) {
    self.question = question
    counting = PanelCounting(question.panel)
    groups = question.panel.declaredFigures
  }

  /// Of a line that comes to stand there, which the question asks about.
  func entering(_ position: PositionClass) -> [Term] { standing(position, .after, .convertedAfter, times: 1) }

  /// Of one that leaves.
  func leaving(_ position: PositionClass) -> [Term] {
    standing(position, .before, .convertedBefore, times: -1)
  }

  private func standing(
    _ position: PositionClass, _ own: RevenueTerm.Amount, _ converted: RevenueTerm.Amount, times: Int64
  ) -> [Term] {
    figures(standing: position).flatMap { figure, isRevenue in
      isRevenue
        ? revenue(figure, position.currency, own, times)
          + inReportingCurrency(figure, position.currency, converted, times)
        : [Term(figure: figure, times: times)]
    }
  }

  private func figures(standing position: PositionClass) -> [(figure: String, isRevenue: Bool)] {
    guard let groups else {
      return counting.paths(position).compactMap { path in
        question.panel.figure(path).flatMap { $0.trend == .none ? nil : (path, $0.isRevenue) }
      }
    }
    return groups.flatMap { group in
      group.figures.compactMap { figure in
        guard case .balance(.end, let isCounted) = figure.value, isCounted(position) else { return nil }
        return (group.path(of: figure), group.split == .byCurrency)
      }
    }
  }

  /// Of what happened with a change.
  func happening(_ change: ScopedChange) -> [Term] {
    guard let groups else {
      guard question.panel == .overview || question.panel == .churn else { return [] }
      return counting.paths(change).filter { path in
        question.panel.figure(path).map { $0.trend != .none && !$0.isRevenue } ?? false
      }.map { Term(figure: $0, times: 1) }
    }
    return groups.flatMap { group in
      group.figures.flatMap { figure in
        let path = group.path(of: figure)
        guard group.split == .none else {
          return figure.value.terms(change).flatMap { term in
            term.isConverted
              ? inReportingCurrency(path, term.currency, term.amount, term.times)
              : revenue(path, term.currency, term.amount, term.times)
          }
        }
        let times = figure.value.times(change)
        return times == 0 ? [] : [Term(figure: path, times: times)]
      }
    }
  }

  /// - Parameter currency: nil is unpriced.
  private func revenue(
    _ figure: String, _ currency: CurrencyCode?, _ amount: RevenueTerm.Amount, _ times: Int64
  ) -> [Term] {
    currency.map { [Term(figure: figure, currency: $0, amount: amount, times: times)] } ?? []
  }

  private func inReportingCurrency(
    _ figure: String, _ currency: CurrencyCode?, _ amount: RevenueTerm.Amount, _ times: Int64
  ) -> [Term] {
    currency == nil || question.reportingCurrency == nil
      ? [] : [Term(figure: figure, amount: amount, times: times)]
  }

  /// Those that are unknown where a line stood in a gap that no snapshot saw: METRICS §4.
  var needingSnapshots: [(figure: String, isRevenue: Bool)] {
    if let groups {
      return groups.flatMap { group in
        group.figures.filter(\.needsSnapshots).map { (group.path(of: $0), false) }
      }
    }
    return question.panel.figures.filter(\.needsSnapshots).map { ($0.path, $0.isRevenue) }
  }
}
