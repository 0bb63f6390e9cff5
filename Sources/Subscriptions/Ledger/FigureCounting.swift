/// Says which figures count a position or a change. The rows behind them follow from that: each line that stood in a counted position
/// at the window's start or end, and each counted change in the window.
public protocol FigureCounting: Sendable {
  /// The figures that count a line for its position at an end of the window; nil where none does.
  func counted(
    _ position: PositionClass, at end: FigureDefinition.WindowEnd, _ question: Question
  ) -> Counted?

  /// The figures that count a change: as a line, and once for each currency that it moves.
  func counted(_ change: ChangeClass, _ question: Question) -> [Counted]
}

/// Figures that a row counts in, as paths, and the currency of what it adds to them.
public struct Counted: Hashable, Sendable {
  public var paths: [String]
  /// Nil where lines are counted.
  public var currency: CurrencyCode?

  public init(paths: [String], currency: CurrencyCode? = nil) {
    self.paths = paths
    self.currency = currency
  }
}

extension FigureCounting {
  public func rows(of line: Line, _ question: Question) -> [FigureRow] {
    let (changes, window) = (line.changes, question.window)
    return standing(.start, changes.last { $0.at <= window.from }, line, question)
      + changes.filter { window.contains($0.at) }.flatMap { rows(of: $0, line, question) }
      + standing(.end, changes.last { $0.at <= window.to }, line, question)
  }

  /// - Parameter change: by which the line came to stand where it stood.
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
  /// What the change did to the monthly revenue of paid lines that a question asks about.
  fileprivate func revenue(in currency: CurrencyCode, _ question: Question) -> Money {
    let scoped = ScopedChange(kind, in: question)
    func isOfIt(_ position: PositionClass?) -> Bool {
      position?.set == .paid && position?.currency == currency
    }
    let lost = isOfIt(scoped?.old) ? monthlyBefore : 0
    let gained = isOfIt(scoped?.new) ? monthlyAfter : 0
    return Money(micros: gained - lost, currency: currency)
  }

  /// The flow with the states that the line left and came to: `lost: expired after billing_retry, expiration_intent = 2`.
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

extension [FigureGroup]: FigureCounting {
  public func counted(
    _ position: PositionClass, at end: FigureDefinition.WindowEnd, _ question: Question
  ) -> Counted? {
    guard question.includes(position) else { return nil }
    let paths = flatMap { group in
      group.figures.compactMap { figure -> String? in
        guard figure.value.counts(position, at: end) else { return nil }
        return group.split == .byCurrency && position.currency == nil ? nil : group.path(of: figure)
      }
    }
    return paths.isEmpty ? nil : Counted(paths: paths, currency: position.currency)
  }

  public func counted(_ change: ChangeClass, _ question: Question) -> [Counted] {
    guard let scoped = ScopedChange(change, in: question) else { return [] }
    var paths: [CurrencyCode?: [String]] = [:]
    for group in self {
      for figure in group.figures {
        let path = group.path(of: figure)
        guard group.split == .byCurrency else {
          if figure.value.counts(scoped) { paths[nil, default: []].append(path) }
          continue
        }
        // What is in the reporting currency alone is told of lines that stay as they were.
        for currency in Set(figure.value.terms(scoped).filter { !$0.isConverted }.map(\.currency)) {
          paths[currency, default: []].append(path)
        }
      }
    }
    return paths.map { Counted(paths: $1, currency: $0) }
  }
}
