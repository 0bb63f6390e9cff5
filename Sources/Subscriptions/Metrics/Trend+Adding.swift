extension Trend {
  /// Adds what a panel's balances and flows came to, and forgets what nobody can know.
  mutating func add(_ course: LedgerCourse, _ question: Question) {
    let panel = question.panel
    if panel.followsChanges {
      add(PanelCounts(panel, changes: course.before, question), of: panel, at: nil)
      for (place, changes) in course.stretches.enumerated() {
        add(PanelCounts(panel, changes: changes, question), of: panel, at: place)
      }
    }
    if panel.followsBalances {
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
    for (path, count) in counts.counts where !panel.isRate(path) {
      guard panel.isRevenue(path) else {
        if count.lines != 0 { add(Int64(count.lines), to: path, at: place) }
        continue
      }
      for total in count.monthly.totals where total.micros != 0 {
        add(total.micros, to: path, total.currency, at: place)
      }
    }
  }

  /// METRICS §4: where a line stood in a gap that no snapshot saw.
  private mutating func forget(_ panel: Panel, where counts: PanelCounts, at place: Int?) {
    guard counts.unseen > 0 else { return }
    for path in panel.figureNames where panel.needsSnapshots(path) {
      if panel.isRevenue(path) { forgetAmounts(of: path, at: place) } else { forget(path, at: place) }
    }
  }
}
