/// Figures that count a row, as paths, and the currency of its amount.
public struct Counted: Hashable, Sendable {
  public var paths: [String]
  /// `nil` if only lines are counted.
  public var currency: CurrencyCode?
}

/// Rows behind figures that count lines: one for each line in a counted position at the window's start or
/// end, and one for each counted change in each currency whose revenue it changes.
extension PanelCounting {
  /// Returns `nil` if no figure counts a line for its position at an end of the window.
  public func counted(
    _ position: PositionClass, at end: FigureDefinition.WindowEnd, _ question: Question
  ) -> Counted? {
    guard question.includes(position) else { return nil }
    // The overview has a rate of the lines at the start, but no figure of them.
    let paths = terms(position, at: end).map(\.path).filter { panel.figure($0) != nil }
    let hasAmount = panel == .movement || paths.contains { panel.figure($0)?.isRevenue ?? false }
    return paths.isEmpty ? nil : Counted(paths: paths, currency: hasAmount ? position.currency : nil)
  }

  public func counted(_ change: ChangeClass, _ question: Question) -> [Counted] {
    guard let scoped = ScopedChange(change, in: question) else { return [] }
    var paths: [CurrencyCode?: [String]] = [:]
    for term in terms(scoped) {
      // Amounts in the reporting currency alone belong to lines without a change.
      if case .revenue(let amount) = term.value, amount.isConverted { continue }
      if !(paths[term.currency]?.contains(term.path) ?? false) {
        paths[term.currency, default: []].append(term.path)
      }
    }
    return paths.map { Counted(paths: $1, currency: $0) }
  }
}

extension PanelCounting {
  public func rows(of line: Line, _ question: Question) -> [FigureRow] {
    let (changes, window) = (line.changes, question.window)
    return standing(.start, changes.last { $0.at <= window.from }, line, question)
      + changes.filter { window.contains($0.at) }.flatMap { rows(of: $0, line, question) }
      + standing(.end, changes.last { $0.at <= window.to }, line, question)
  }

  private func standing(
    _ end: FigureDefinition.WindowEnd, _ change: Change?, _ line: Line, _ question: Question
  ) -> [FigureRow] {
    let t = end == .start ? question.window.from : question.window.to
    guard let change, let counted = counted(change.kind.new, at: end, question),
      let span = line.timeline.span(at: t)
    else { return [] }
    var row = FigureRow(
      counted.paths, line.rows[span.position.row], of: line, at: change.at,
      amount: counted.currency.map { Money(micros: change.monthlyAfter, currency: $0) },
      why: "\(span.position.state.rawValue): \(line.why(span, at: t))")
    row.state = span.position.state
    return [row]
  }

  private func rows(of change: Change, _ line: Line, _ question: Question) -> [FigureRow] {
    counted(change.kind, question).map { counted in
      let isOut = change.kind.new.set == .out
      var row = FigureRow(
        counted.paths, line.rows[isOut ? change.oldRow ?? change.newRow : change.newRow], of: line,
        at: change.at, amount: counted.currency.map { change.revenue(in: $0, question) }, why: change.why)
      row.state = change.kind.new.state
      return row
    }
  }
}

extension Change {
  /// Effect of the change on the monthly revenue of paid lines in the question's scope.
  fileprivate func revenue(in currency: CurrencyCode, _ question: Question) -> Money {
    let scoped = ScopedChange(kind, in: question)
    func isOfIt(_ position: PositionClass?) -> Bool {
      position?.set == .paid && position?.currency == currency
    }
    let lost = isOfIt(scoped?.old) ? monthlyBefore : 0
    let gained = isOfIt(scoped?.new) ? monthlyAfter : 0
    return Money(micros: gained - lost, currency: currency)
  }

  /// Flow, new state and old state: `lost: expired after billing_retry, expiration_intent = 2`.
  fileprivate var why: String {
    let name = kind.flow.map { "\($0.rawValue): " } ?? ""
    let old = kind.old.map { " after \($0.state.rawValue)" } ?? ", the first of its subscription"
    let reason: String =
      switch kind.new.reason {
      case .intent(let intent): ", expiration_intent = \(intent.rawValue)"
      case .unknown: ", nobody knows why"
      case .refunded, nil: ""
      }
    return "\(name)\(kind.new.state.rawValue)\(old)\(reason)"
  }
}
