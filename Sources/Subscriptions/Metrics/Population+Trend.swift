extension Population {
  func trend(_ question: Question, _ course: LedgerCourse) -> Trend {
    if let groups = question.panel.declaredFigures { return course.trend(groups, question) }
    var trend = Trend(of: question.window)
    addRows(of: question, to: &trend) { question.window.stretch(of: $0) }
    addRows(of: question.before, to: &trend) { _ in nil }
    trend.add(course, question)
    return trend
  }

  /// Those that are no balances or flows.
  private func addRows(of question: Question, to trend: inout Trend, place: (Instant) -> Int?) {
    if question.panel == .events {
      for event in events(question.unlimited).rows {
        trend.add(1, to: Panel.eventCount, at: place(event.effectiveAt))
      }
      return
    }
    for row in factRows(judged(question), question) {
      guard row.figures.contains(where: question.panel.happens) else { continue }
      trend.add(rows: 1, naming: row.figures, amount: row.amount, of: question.panel, at: place(row.at))
    }
  }
}
