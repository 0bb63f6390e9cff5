extension Trend {
  /// Adds what a panel's balances and flows came to, and forgets what nobody can know.
  mutating func add(_ course: LedgerCourse, _ question: Question) {
    let panel = question.panel
    if panel == .overview || panel == .churn {
      add(PanelCounts(panel, changes: course.before, question), of: panel, at: nil)
      for (place, changes) in course.stretches.enumerated() {
        add(PanelCounts(panel, changes: changes, question), of: panel, at: place)
      }
    }
    if panel.figures.contains(where: { $0.trend == .standing }) {
      let start = PanelCounts(panel, standing: course.start, question)
      add(start, of: panel, at: nil)
      forget(panel, where: start, at: nil)
      var standing = PanelCounts(panel, standing: course.window.start, question)
      for (place, changes) in course.stretches.enumerated() {
        standing.move(changes)
        add(standing, of: panel, at: place)
        // What is so now is known.
        if endsMs[place] != question.at { forget(panel, where: standing, at: place) }
      }
    }
    forgetBefore(unlessBegunBy: course, question)
  }

  private mutating func add(_ counts: PanelCounts, of panel: Panel, at place: Int?) {
    for (path, count) in counts.counts {
      guard let figure = panel.figure(path), figure.trend != .none else { continue }
      guard figure.isRevenue else {
        if count.lines != 0 { add(Int64(count.lines), to: path, at: place) }
        continue
      }
      for total in count.monthly.totals where total.micros != 0 {
        add(total.micros, to: path, total.currency, at: place)
      }
      if let total = count.monthly.inReportingCurrency, total.micros != 0 {
        add(total.micros, to: path, at: place)
      }
    }
  }

  /// METRICS §4: where a line stood in a gap that no snapshot saw.
  private mutating func forget(_ panel: Panel, where counts: PanelCounts, at place: Int?) {
    guard counts.unseen > 0 else { return }
    for figure in panel.figures where figure.needsSnapshots {
      if figure.isRevenue {
        forgetAmounts(of: figure.path, at: place)
      } else {
        forget(figure.path, at: place)
      }
    }
  }
}
