extension Trend {
  /// Adds balances and changes of lines along the window, and marks unknown values. The changes of a stretch
  /// give both its flows and the movement of balances, so they add up.
  mutating func add(_ course: LedgerCourse, _ question: Question) {
    var counter = LineCounter(PanelCounting(question.panel), question)
    var isBalance: [String: Bool] = [:]
    func values(_ sums: LedgerSums) -> (balances: [Name: Int128], flows: [Name: Int128]) {
      var (balances, flows): ([Name: Int128], [Name: Int128]) = ([:], [:])
      for (name, value) in counter.counts(sums).values(of: question.panel) {
        let isStanding = isBalance[name.figure] ?? (question.panel.figure(name.figure)?.trend == .standing)
        isBalance[name.figure] = isStanding
        if isStanding { balances[name] = value } else { flows[name] = value }
      }
      return (balances, flows)
    }
    let before = values(course.before)
    add(values(course.start).balances, at: nil)
    add(before.flows, at: nil)
    var (balances, unseen) = (before.balances, course.before.unseen(question))
    var unknown: [Int?] = course.start.unseen(question) > 0 ? [nil] : []
    for (place, moves) in course.moves.enumerated() {
      let moved = values(moves)
      balances.merge(moved.balances, uniquingKeysWith: +)
      add(balances, at: place)
      add(moved.flows, at: place)
      unseen += moves.unseen(question)
      // Values at the present instant are known.
      let isNow = endsMs[place] == question.at && !question.isLookingBack
      if unseen > 0, !isNow { unknown.append(place) }
    }
    for place in unknown { forgetUnseen(of: question.panel, at: place) }
    if !course.start.end.keys.contains(where: question.includes) { forgetBefore() }
  }

  fileprivate struct Name: Hashable {
    var figure: String
    /// `nil` for lines, and for totals in the reporting currency.
    var currency: CurrencyCode?
  }

  private mutating func add(_ values: [Name: Int128], at place: Int?) {
    for (name, value) in values where value != 0 {
      add(value, to: name.figure, name.currency, at: place)
    }
  }

  /// Marks figures as unknown that may have counted a line in a gap without a snapshot (METRICS §4).
  private mutating func forgetUnseen(of panel: Panel, at place: Int?) {
    for figure in panel.figures where figure.needsSnapshots {
      if figure.isRevenue {
        forgetAmounts(of: figure.path, at: place)
      } else {
        forget(figure.path, at: place)
      }
    }
  }
}

extension LineCounts {
  /// Values of figures that have a trend.
  fileprivate func values(of panel: Panel) -> [Trend.Name: Int128] {
    var values: [Trend.Name: Int128] = [:]
    for (path, sums) in amounts {
      let figure = panel.figure(path)
      // The effect of exchange rates is in no table of figures.
      guard figure.map({ $0.trend != .none }) ?? (panel == .movement) else { continue }
      let isAmount = figure.map { $0.value == .amount(path) } ?? true
      for (currency, sum) in sums {
        guard isAmount else {
          values[Trend.Name(figure: path), default: 0] += Int128(sum.rows)
          continue
        }
        guard let currency else { continue }
        values[Trend.Name(figure: path, currency: currency), default: 0] += sum.micros
        values[Trend.Name(figure: path), default: 0] += sum.converted.micros
      }
    }
    return values
  }
}
