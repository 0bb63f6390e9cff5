extension Population {
  func trend(_ question: Question) -> Trend {
    var trend = Trend(of: question.window)
    var unobserved: Set<Int?> = []
    var hasStart = false
    let ends = question.panel.stateFigures == nil ? [] : question.window.stretchEnds
    for (t, place) in [(question.window.trendStart, Int?.none)] + ends.enumerated().map({ ($1, $0) }) {
      var asked = question
      asked.at = t
      let judged = judged(asked).filter { question.includes($0.product) }
      if place == nil { hasStart = !judged.isEmpty }
      if judged.contains(where: { $0.isUnobserved(at: t) }) { unobserved.insert(place) }
      guard question.panel.stateFigures != nil else { continue }
      for judged in judged {
        trend.add(
          lines: 1, in: judged.state, monthly: judged.verdict.current.monthly, of: question.panel, at: place)
      }
    }
    addRows(of: question, to: &trend) { question.window.stretch(of: $0) }
    addRows(of: question.before, to: &trend) { _ in nil }
    trend.forget(question.panel, unobserved: unobserved, hasStart: hasStart)
    return trend
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

extension JudgedLine {
  /// Whether it may have been in grace or in billing retry, which only a renewal info that came later could tell.
  fileprivate func isUnobserved(at t: Instant) -> Bool {
    guard let phase = line.phase(at: t), phase.isLive, phase.current.expires <= t,
      t < phase.current.expires + billingRetryMilliseconds
    else { return false }
    return line.renewals.map(\.observedAt).min().map { $0 > t } ?? false
  }
}
