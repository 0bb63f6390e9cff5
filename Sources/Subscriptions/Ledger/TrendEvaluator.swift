extension Trend {
  /// Adds what follows lines along the window, and says what of it nobody can know.
  mutating func add(_ course: LedgerCourse, _ question: Question) {
    var evaluator = TrendEvaluator(question)
    let sumsBefore = course.sumsBefore
    let before = evaluator.values(sumsBefore)
    add(evaluator.values(course.start).standing, at: nil)
    add(before.happened, at: nil)
    var (standing, unseen) = (before.standing, sumsBefore.unseen)
    var unknown: [Int?] = course.start.unseen > 0 ? [nil] : []
    for (place, moves) in course.moves.enumerated() {
      let moved = evaluator.values(moves)
      standing.merge(moved.standing, uniquingKeysWith: +)
      add(standing, at: place)
      add(moved.happened, at: place)
      unseen += moves.unseen
      // What is so now is known.
      let isNow = endsMs[place] == question.at && !question.isLookingBack
      if unseen > 0, !isNow { unknown.append(place) }
    }
    for place in unknown { forgetUnseen(of: question.panel, at: place) }
    if course.start.isEmpty { forgetBefore() }
  }

  private mutating func add(_ values: [TrendEvaluator.Name: Int128], at place: Int?) {
    for (name, value) in values where value != 0 {
      add(value, to: name.figure, name.currency, at: place)
    }
  }

  /// Says that nobody knows what a line in a gap that no snapshot saw may have been counted in: METRICS §4.
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

/// Evaluates what a panel's trend follows of lines by what evaluates the panel's numbers. All of it adds up: what a stretch's changes come to
/// by themselves is what happened in it, and by how much balances moved.
private struct TrendEvaluator {
  struct Name: Hashable {
    var figure: String
    /// Nil of lines, and of all that is in the reporting currency.
    var currency: CurrencyCode?
  }

  struct Values {
    /// Where lines stand at the end.
    var standing: [Name: Int128] = [:]
    var happened: [Name: Int128] = [:]

    mutating func add(
      _ value: Int128, to figure: String, _ currency: CurrencyCode? = nil, isStanding: Bool
    ) {
      let name = Name(figure: figure, currency: currency)
      if isStanding {
        standing[name, default: 0] += value
      } else {
        happened[name, default: 0] += value
      }
    }
  }

  private let panel: Panel
  private var counted: PanelEvaluator
  private var groups: [GroupEvaluator]

  init(_ question: Question) {
    panel = question.panel
    counted = PanelEvaluator(panel, question)
    groups = (panel.declaredFigures ?? []).map { GroupEvaluator($0, question) }
  }

  mutating func values(_ sums: ScopedSums) -> Values {
    var values = Values()
    for (path, count) in counted.counts(sums).counts {
      guard let figure = panel.figure(path), figure.trend != .none else { continue }
      let isStanding = figure.trend == .standing
      guard figure.isRevenue else {
        values.add(Int128(count.lines), to: path, isStanding: isStanding)
        continue
      }
      for total in count.monthly.totals {
        values.add(total.micros, to: path, total.currency, isStanding: isStanding)
        values.add(count.monthly.converted(total.currency) ?? 0, to: path, isStanding: isStanding)
      }
    }
    for index in groups.indices {
      let group = groups[index].group
      for (figure, amounts) in zip(group.figures, groups[index].amounts(sums)) where !figure.isOfStart {
        let (path, isStanding) = (group.path(of: figure), figure.isBalance)
        for (currency, amount) in amounts {
          guard let currency else {
            values.add(Int128(amount.lines), to: path, isStanding: isStanding)
            continue
          }
          values.add(amount.micros, to: path, currency, isStanding: isStanding)
          values.add(amount.converted, to: path, isStanding: isStanding)
        }
      }
    }
    return values
  }
}
