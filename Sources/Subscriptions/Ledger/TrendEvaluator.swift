extension Trend {
  /// Adds the balances and flows of lines, both from the changes of each stretch, and marks unknown values.
  mutating func add(_ course: LedgerCourse, _ question: Question) {
    var counter = LineCounter(question.panel, question)
    var standing = counter.counts(course.before)
    add(counter.counts(course.start), .standing, of: question.panel, at: nil)
    add(standing, .happened, of: question.panel, at: nil)
    var unseen = course.before.unseen(question)
    var unknown: [Int?] = course.start.unseen(question) > 0 ? [nil] : []
    for (place, moves) in course.moves.enumerated() {
      let moved = counter.counts(moves)
      standing.add(moved)
      add(standing, .standing, of: question.panel, at: place)
      add(moved, .happened, of: question.panel, at: place)
      unseen += moves.unseen(question)
      // The value at the present instant is known.
      let isNow = endsMs[place] == question.at && !question.isLookingBack
      if unseen > 0, !isNow { unknown.append(place) }
    }
    // Values are unknown if the figure may have counted a line in a gap without a snapshot (METRICS §4).
    for figure in question.panel.figures where figure.needsSnapshots {
      for place in unknown { forget(figure.path, isAmount: figure.isRevenue, at: place) }
    }
    if !course.start.end.keys.contains(where: question.includes) { forgetBefore() }
  }

  private mutating func add(_ counts: LineCounts, _ kind: PanelFigure.Trend, of panel: Panel, at place: Int?)
  {
    for (path, sums) in counts.amounts {
      let figure = panel.figure(path)
      // `FigureTable` omits the effect of exchange rates, which is a flow of the movement panel.
      guard figure?.trend ?? (panel == .movement ? .happened : .none) == kind else { continue }
      let isAmount = figure.map { $0.value == .amount(path) } ?? true
      func add(_ value: Int128, _ currency: CurrencyCode? = nil) {
        if value != 0 { self.add(value, to: path, currency, at: place) }
      }
      if !isAmount { add(Int128(counts.lines(path))) }
      for (currency, sum) in sums where isAmount && currency != nil {
        add(sum.micros, currency)
        add(sum.converted.micros)
      }
    }
  }
}
