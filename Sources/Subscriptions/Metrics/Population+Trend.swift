extension Population {
  func trend(_ question: Question) -> Trend {
    var trend = Trend(observedSince: observedSince(question))
    if question.panel.stateFigures != nil {
      let instants = [(question.window.from, nil)] + question.window.stretchEnds.enumerated().map { ($1, $0) }
      for (t, place) in instants { addStates(at: t, place, question, to: &trend) }
    }
    addRows(of: question, to: &trend) { question.window.stretch(of: $0) }
    addRows(of: question.before, to: &trend) { _ in nil }
    trend.forgetUnobserved(question)
    return trend
  }

  private func observedSince(_ question: Question) -> Instant? {
    lines.lazy.filter { question.environment.contains($0.id.environment) }
      .flatMap { $0.renewals.map(\.observedAt) }.min()
  }

  private func addStates(at t: Instant, _ place: Int?, _ question: Question, to trend: inout Trend) {
    var asked = question
    asked.at = t
    for judged in judged(asked) where question.includes(judged.product) {
      trend.add(
        lines: 1, in: judged.state, monthly: judged.verdict.current.monthly, of: question.panel, at: place)
    }
  }

  private func addRows(of question: Question, to trend: inout Trend, place: (Instant) -> Int?) {
    if question.panel == .events {
      for event in events(question.unlimited).rows {
        trend.add(1, to: Panel.eventCount, at: place(event.effectiveAt))
      }
      return
    }
    for row in allRows(question) {
      guard row.figures.contains(where: question.panel.happens) else { continue }
      trend.add(rows: 1, naming: row.figures, amount: row.amount, of: question.panel, at: place(row.at))
    }
  }
}
