extension LedgerCourse {
  /// How declared figures moved along the window, and what they were in the one before.
  public func trend(_ groups: [FigureGroup], _ question: Question) -> Trend {
    var trend = Trend(of: question.window)
    var sums = LedgerSums(from: start, changes: [:])
    trend.add(groups, question, flows: LedgerSums(earlier: [:], changes: before), at: nil)
    trend.add(groups, question, balances: sums, at: nil)
    sums = LedgerSums(from: window.start, changes: [:])
    for (place, changes) in stretches.enumerated() {
      sums = LedgerSums(after: sums, changes: changes)
      trend.add(groups, question, flows: sums, at: place)
      trend.add(groups, question, balances: sums, at: place)
    }
    trend.forgetBefore(unlessBegunBy: self, question)
    return trend
  }
}

extension Trend {
  /// Forgets what was before where no line had begun by the window's start.
  mutating func forgetBefore(unlessBegunBy course: LedgerCourse, _ question: Question) {
    if !course.start.keys.contains(where: question.includes) { forgetBefore() }
  }

  fileprivate mutating func add(
    _ groups: [FigureGroup], _ question: Question, flows sums: LedgerSums, at place: Int?
  ) {
    add(LedgerFigures(groups.map(\.flows), from: sums, question), at: place)
  }

  /// - Parameter sums: whose end is the end of the stretch.
  fileprivate mutating func add(
    _ groups: [FigureGroup], _ question: Question, balances sums: LedgerSums, at place: Int?
  ) {
    add(LedgerFigures(groups.map(\.balances), from: sums, question), at: place)
    // What is so now is known.
    if let place, endsMs[place] == question.at { return }
    guard sums.end.contains(where: { $0.key.isUnseen && $0.value.lines > 0 && question.includes($0.key) })
    else { return }
    for group in groups {
      for figure in group.figures where figure.needsSnapshots { forget(group.path(of: figure), at: place) }
    }
  }

  private mutating func add(_ figures: LedgerFigures, at place: Int?) {
    for group in figures.groups {
      for row in group.rows {
        for (figure, value) in zip(group.figures, row.values) where value != 0 {
          add(value, to: "\(group.name).\(figure.name)", row.currency, at: place)
        }
      }
      for (figure, value) in zip(group.figures, group.total?.values ?? []) where value != 0 {
        add(value, to: "\(group.name).\(figure.name)", at: place)
      }
    }
  }
}

extension FigureGroup {
  /// Those of its figures that are of what happened.
  fileprivate var flows: FigureGroup { FigureGroup(name, label, split, figures.filter { !$0.isBalance }) }

  /// Those that stand at the end of a window.
  fileprivate var balances: FigureGroup {
    FigureGroup(name, label, split, figures.filter { $0.isBalance && !$0.isOfStart })
  }
}
