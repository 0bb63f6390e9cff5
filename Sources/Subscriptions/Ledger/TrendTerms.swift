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
  private let declared: [Declared]?

  /// A figure of a group, with its path.
  private struct Declared {
    var path: String
    var split: FigureGroup.Split
    var figure: FigureDefinition
  }

  init(_ question: Question) {
    self.question = question
    counting = PanelCounting(question.panel)
    declared = question.panel.declaredFigures?.flatMap { group in
      group.figures.map { Declared(path: group.path(of: $0), split: group.split, figure: $0) }
    }
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
    guard let declared else {
      return counting.paths(position).compactMap { path in
        question.panel.figure(path).flatMap { $0.trend == .none ? nil : (path, $0.isRevenue) }
      }
    }
    return declared.compactMap { declared in
      guard case .balance(.end, let isCounted) = declared.figure.value, isCounted(position) else {
        return nil
      }
      return (declared.path, declared.split == .byCurrency)
    }
  }

  /// Of what happened with a change.
  func happening(_ change: ScopedChange) -> [Term] {
    guard let declared else {
      guard counting.followsChanges else { return [] }
      return counting.paths(change).filter { path in
        question.panel.figure(path).map { $0.trend != .none && !$0.isRevenue } ?? false
      }.map { Term(figure: $0, times: 1) }
    }
    return declared.flatMap { declared in
      let (path, value) = (declared.path, declared.figure.value)
      guard declared.split == .none else {
        return value.terms(change).flatMap { term in
          term.isConverted
            ? inReportingCurrency(path, term.currency, term.amount, term.times)
            : revenue(path, term.currency, term.amount, term.times)
        }
      }
      let times = value.times(change)
      return times == 0 ? [] : [Term(figure: path, times: times)]
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
    if let declared { return declared.filter(\.figure.needsSnapshots).map { ($0.path, false) } }
    return question.panel.figures.filter(\.needsSnapshots).map { ($0.path, $0.isRevenue) }
  }
}
