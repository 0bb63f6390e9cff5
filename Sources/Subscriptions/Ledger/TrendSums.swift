/// Adds up how figures moved along a window. What a kind of changes adds to each of them is asked once, however many stretches there are.
struct TrendSums {
  private struct Name: Hashable {
    var figure: String
    /// Nil of lines, and of all that is in the reporting currency.
    var currency: CurrencyCode?
    var isStanding: Bool
  }

  /// A term with the place of its series.
  private struct Weight {
    var series: Int
    /// Nil is lines.
    var amount: RevenueTerm.Amount?
    var times: Int64
  }

  private let question: Question
  private let terms: TrendTerms
  private let course: LedgerCourse
  private let stretches: Int
  private var names: [Name] = []
  private var places: [Name: Int] = [:]
  /// Of each series what it comes to, or by how much it moves, in each stretch; then what it was before, and where it stood when the window
  /// began.
  private var values: [[Int128]] = []
  /// By the places of kinds of changes.
  private var weights: [[Weight]?]
  /// Lines in gaps that no snapshot saw, as one more series.
  private var unseen: [Int128]

  private var before: Int { stretches }
  private var atStart: Int { stretches + 1 }

  init(_ course: LedgerCourse, _ question: Question) {
    (self.course, self.question) = (course, question)
    terms = TrendTerms(question)
    stretches = course.stretches.count
    unseen = Array(repeating: 0, count: stretches + 2)
    weights = Array(repeating: nil, count: course.kinds.changes.count)
    add(course.start, at: before)
    add(course.sums, at: atStart)
    add(course.before, at: before, ofFlowsAlone: true)
    for (place, changes) in course.stretches.enumerated() { add(changes, at: place, ofFlowsAlone: false) }
  }

  /// Adds the series, and says what of them nobody can know.
  func add(to trend: inout Trend) {
    for (name, values) in zip(names, values) {
      let values = name.isStanding ? running(values) : values
      for (place, value) in values.prefix(stretches + 1).enumerated() where value != 0 {
        trend.add(
          Int64(clamping: value), to: name.figure, name.currency, at: place == before ? nil : place)
      }
    }
    let unseen = running(self.unseen)
    for place in 0...stretches where unseen[place] > 0 {
      // What is so now is known.
      if place < stretches, trend.endsMs[place] == question.at, !question.isLookingBack { continue }
      for (figure, isRevenue) in terms.needingSnapshots {
        let place = place == before ? nil : place
        if isRevenue {
          trend.forgetAmounts(of: figure, at: place)
        } else {
          trend.forget(figure, at: place)
        }
      }
    }
    if course.start.isEmpty { trend.forgetBefore() }
  }

  /// Where lines stood at the end of each stretch.
  private func running(_ moves: [Int128]) -> [Int128] {
    var (sum, all) = (moves[atStart], moves)
    for place in 0..<stretches {
      sum += moves[place]
      all[place] = sum
    }
    return all
  }

  /// Where lines stood at the start of a window.
  private mutating func add(_ sums: ScopedSums, at place: Int) {
    for (index, balance) in sums.balances(at: .start) {
      let position = sums.kinds.positions[index]
      let sum = Turnover(
        lines: balance.lines, monthlyAfter: balance.monthlyMicros, convertedAfter: balance.converted)
      for weight in weights(terms.entering(position), isStanding: true) { add(sum, weight, at: place) }
      if position.isUnseen { unseen[place] += Int128(balance.lines) }
    }
  }

  private mutating func add(_ changes: ScopedSums.Changes, at place: Int, ofFlowsAlone: Bool) {
    for (index, sum) in changes {
      let change = course.kinds.changes[index].change
      for weight in weights(of: change, index) where !ofFlowsAlone || !names[weight.series].isStanding {
        add(sum, weight, at: place)
      }
      guard !ofFlowsAlone else { continue }
      if change.old?.isUnseen ?? false { unseen[place] -= Int128(sum.lines) }
      if change.new?.isUnseen ?? false { unseen[place] += Int128(sum.lines) }
    }
  }

  private mutating func add(_ sum: Turnover, _ weight: Weight, at place: Int) {
    let amount = weight.amount.map { sum[$0] } ?? sum.lines
    values[weight.series][place] += Int128(amount) * Int128(weight.times)
  }

  private mutating func weights(of change: ScopedChange, _ place: Int) -> [Weight] {
    if let known = weights[place] { return known }
    let moved = (change.old.map(terms.leaving) ?? []) + (change.new.map(terms.entering) ?? [])
    let new = weights(moved, isStanding: true) + weights(terms.happening(change), isStanding: false)
    weights[place] = new
    return new
  }

  private mutating func weights(_ terms: [TrendTerms.Term], isStanding: Bool) -> [Weight] {
    terms.map { term in
      Weight(
        series: series(term.figure, term.currency, isStanding: isStanding), amount: term.amount,
        times: term.times)
    }
  }

  private mutating func series(_ figure: String, _ currency: CurrencyCode?, isStanding: Bool) -> Int {
    let name = Name(figure: figure, currency: currency, isStanding: isStanding)
    if let known = places[name] { return known }
    let new = names.count
    places[name] = new
    names.append(name)
    values.append(Array(repeating: 0, count: stretches + 2))
    return new
  }
}
