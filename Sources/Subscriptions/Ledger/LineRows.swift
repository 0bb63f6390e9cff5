/// Paths of the figures that count a row, and the currency of the row's amount.
public struct Counted: Hashable, Sendable {
  public var paths: [String]
  /// Currency of the row's amount; `nil` if the row has no amount.
  public var currency: CurrencyCode?
}

/// Rows behind figures that count lines: one row for each counted position at either end of the window. A
/// counted change has one row for figures without a currency, and one row for each affected currency.
extension PanelCounting {
  /// Returns the figures that count a position at an end of the window; `nil` if none does.
  public func counted(
    _ position: PositionClass, at end: FigureDefinition.WindowEnd, _ question: Question
  ) -> Counted? {
    guard question.includes(position) else { return nil }
    // The overview uses `base_at_start` only for its churn rate, so this path is not a figure.
    let paths = terms(position, at: end).map(\.path).filter { panel.figure($0) != nil }
    let hasAmount = panel == .movement || paths.contains { panel.figure($0)?.isRevenue ?? false }
    return paths.isEmpty ? nil : Counted(paths: paths, currency: hasAmount ? position.currency : nil)
  }

  public func counted(_ change: ChangeClass, _ question: Question) -> [Counted] {
    guard let scoped = ScopedChange(change, in: question) else { return [] }
    var paths: [CurrencyCode?: [String]] = [:]
    // The effect of exchange rates has no rows, because the line itself did not change.
    for term in terms(scoped) where !term.isOfConversion {
      if !(paths[term.currency]?.contains(term.path) ?? false) {
        paths[term.currency, default: []].append(term.path)
      }
    }
    // A row that counts only a line shows the moved revenue if all of it is in one currency.
    let moved = Set(moved(scoped).compactMap(\.position.currency))
    return paths.map { Counted(paths: $1, currency: $0 ?? (moved.count == 1 ? moved.first : nil)) }
  }

  private func moved(_ change: ScopedChange) -> [MovedRevenue] {
    let moved = change.revenue
    guard moved.isEmpty, change.flow == .lost, let old = change.old else { return moved }
    // Lines lost from billing retry were not paid, but had a monthly price.
    return [MovedRevenue(figure: Flow.lost.rawValue, position: old, price: .before)]
  }

  /// Returns the effect of a change on the monthly revenue in a currency: a gain is positive in the movement
  /// panel, a loss is positive in the other panels.
  fileprivate func revenue(of sum: ChangeSum, _ change: ScopedChange, in currency: CurrencyCode) -> RowSum {
    var effect = RowSum(rows: sum.lines)
    for moved in moved(change) where moved.position.currency == currency {
      let balance = moved.price == .before ? sum.before : sum.after
      let sign: Int128 = (moved.price == .before) == (panel == .movement) ? -1 : 1
      effect.micros += sign * balance.micros
      effect.converted.micros += sign * balance.converted.micros
      // The conversion is incomplete if either side had no rate.
      effect.converted.unconverted &+= balance.converted.unconverted
    }
    return effect
  }

  public func rows(of line: Line, _ question: Question) -> [FigureRow] {
    let entries = line.isFamilyShared ? [] : line.entries.filter { $0.change != nil }
    let window = question.window
    return standing(.start, entries.last { $0.span.from <= window.from }?.change, line, question)
      + entries.filter { window.contains($0.span.from) }.flatMap { rows(of: $0, line, question) }
      + standing(.end, entries.last { $0.span.from <= window.to }?.change, line, question)
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

  private func rows(of entry: SpanEntry, _ line: Line, _ question: Question) -> [FigureRow] {
    guard let change = entry.change, let sum = entry.entry?.sum else { return [] }
    return counted(change.kind, question).map { counted in
      let (isOut, scoped) = (change.kind.new.set == .out, ScopedChange(change.kind, in: question))
      let effect = counted.currency.flatMap { currency in
        scoped.map { revenue(of: sum, $0, in: currency) }
      }
      var row = FigureRow(
        counted.paths, line.rows[isOut ? change.oldRow ?? change.newRow : change.newRow], of: line,
        at: change.at,
        amount: counted.currency.map { Money(micros: effect?.micros ?? 0, currency: $0) }, why: change.why)
      row.state = change.kind.new.state
      // Each side of the change has its own exchange rate.
      if let effect, question.reportingCurrency != nil {
        row.convertedMicros =
          effect.converted.unconverted == 0 ? Int64(exactly: effect.converted.micros) : nil
      }
      return row
    }
  }
}

extension Change {
  /// Text with flow, states and reason: `lost: expired after billing_retry, expiration_intent = 2`.
  fileprivate var why: String {
    let name = kind.flow.map { "\($0.rawValue): " } ?? ""
    let old = kind.old.map { " after \($0.state.rawValue)" } ?? ", the first of its subscription"
    let reason: String =
      switch kind.new.reason {
      case .intent(let intent): ", expiration_intent = \(intent.rawValue)"
      case .unknown: ", reason unknown"
      case .refunded, nil: ""
      }
    return "\(name)\(kind.new.state.rawValue)\(old)\(reason)"
  }
}

extension FigureRows {
  /// Creates the rows behind `figure`, or behind all figures if it is `nil`; totals include unlisted rows.
  public init(
    count: Int, rows: [FigureRow], behind figure: String?, _ question: Question, _ ledger: LedgerSums,
    _ dated: DatedCounts
  ) {
    self.init(count: count, rows: rows)
    let (counting, reporting) = (PanelCounting(question.panel), question.reportingCurrency)
    func isBehind(_ counted: Counted) -> Bool { figure.map(counted.paths.contains) ?? true }
    if !counting.episodeFamilies.isEmpty {
      guard let figure, EpisodeCounting.areSummed(figure) else { return }
      let episodes = dated.amounts(figure)
      if !episodes.isEmpty, EpisodeCounting.haveAmounts(figure) {
        (amounts, proceeds) = (episodes, Amounts(in: reporting))
        return
      }
    }
    var sums = dated.totals(.amounts)
    for end in FigureDefinition.WindowEnd.allCases {
      for (position, balance) in ledger.balances(at: end) {
        guard let counted = counting.counted(position, at: end, question), isBehind(counted),
          let currency = counted.currency
        else { continue }
        sums[currency, default: RowSum()] += balance
      }
    }
    for (kind, sum) in ledger.changes {
      guard let scoped = ScopedChange(kind, in: question) else { continue }
      for counted in counting.counted(kind, question) where isBehind(counted) {
        guard let currency = counted.currency else { continue }
        sums[currency, default: RowSum()] += counting.revenue(of: sum, scoped, in: currency)
      }
    }
    (amounts, proceeds) = (Amounts(sums, in: reporting), Amounts(dated.totals(.proceeds), in: reporting))
  }

  public init(
    count: Int, rows: [FigureRow], behind cell: CohortCell?, _ question: Question, _ cohorts: CohortCounts
  ) {
    self.init(count: count, rows: rows)
    guard let cell, let revenue = cohorts.amounts(cell, in: question.reportingCurrency) else { return }
    (amounts, proceeds) = (revenue, Amounts(in: question.reportingCurrency))
  }
}
