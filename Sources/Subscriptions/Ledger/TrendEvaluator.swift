extension Trend {
  /// Adds what follows lines along the window, and says what of it nobody can know.
  mutating func add(_ course: LedgerCourse, _ question: Question) {
    var evaluator = TrendEvaluator(question)
    let before = evaluator.values(course.before)
    add(evaluator.values(course.start).standing, at: nil)
    add(before.happened, at: nil)
    var (standing, unseen) = (before.standing, course.before.unseen(question))
    var unknown: [Int?] = course.start.unseen(question) > 0 ? [nil] : []
    for (place, moves) in course.moves.enumerated() {
      let moved = evaluator.values(moves)
      standing.merge(moved.standing, uniquingKeysWith: +)
      add(standing, at: place)
      add(moved.happened, at: place)
      unseen += moves.unseen(question)
      // What is so now is known.
      let isNow = endsMs[place] == question.at && !question.isLookingBack
      if unseen > 0, !isNow { unknown.append(place) }
    }
    for place in unknown { forgetUnseen(of: question.panel, at: place) }
    if !course.start.end.keys.contains(where: question.includes) { forgetBefore() }
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

/// Evaluates the lines that a panel's trend follows. All of it adds up: the changes of a stretch give its flows, and by how much balances
/// moved.
private struct TrendEvaluator {
  struct Name: Hashable {
    var figure: String
    /// `nil` for lines, and for totals in the reporting currency.
    var currency: CurrencyCode?
  }

  struct Values {
    /// At the end.
    var standing: [Name: Int128] = [:]
    var happened: [Name: Int128] = [:]
  }

  private let panel: Panel
  private var counter: LineCounter

  init(_ question: Question) {
    panel = question.panel
    counter = LineCounter(PanelCounting(panel), question)
  }

  mutating func values(_ sums: LedgerSums) -> Values {
    var values = Values()
    for (path, amounts) in counter.counts(sums).amounts {
      // No table has the effect of exchange rates.
      guard let trend = panel.figure(path)?.trend ?? (panel == .movement ? .happened : nil),
        trend != .none
      else { continue }
      let part = trend == .standing ? \Values.standing : \Values.happened
      let isAmount = panel.figure(path).map { $0.value == .amount(path) } ?? true
      for (currency, amount) in amounts {
        guard isAmount else {
          values[keyPath: part][Name(figure: path), default: 0] += Int128(amount.rows)
          continue
        }
        guard let currency else { continue }
        values[keyPath: part][Name(figure: path, currency: currency), default: 0] += amount.micros
        values[keyPath: part][Name(figure: path), default: 0] += amount.converted.micros
      }
    }
    return values
  }
}
