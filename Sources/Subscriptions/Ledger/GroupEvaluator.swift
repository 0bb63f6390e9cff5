/// Evaluates a group's figures over any sums of the same kinds. Which of them count a kind is asked once, however many sums they are
/// evaluated over, and a sum is added to these alone.
struct GroupEvaluator {
  /// What a figure comes to in one currency.
  struct Amount {
    var micros: Int128 = 0
    /// Of the reporting currency.
    var converted: Int128 = 0
    /// Rows that came to the figure without a rate.
    var unconverted: Int64 = 0
    /// Of a balance, or of a group that is not split.
    var lines: Int64 = 0

    var isZero: Bool { micros == 0 && converted == 0 && unconverted == 0 }
  }

  /// What a figure takes of a change's sum.
  private struct Term {
    var figure: Int
    /// Nil is lines.
    var revenue: RevenueTerm?
  }

  let group: FigureGroup
  let reporting: CurrencyCode?
  /// The figures that count a line, by the places of positions.
  private var atStart: [[Int]?] = []
  private var atEnd: [[Int]?] = []
  /// By the places of changes.
  private var terms: [[Term]?] = []

  init(_ group: FigureGroup, _ question: Question) {
    self.group = group
    reporting = question.reportingCurrency
  }

  /// What each figure comes to by currency; in none where the group is not split.
  mutating func amounts(_ sums: ScopedSums) -> [[CurrencyCode?: Amount]] {
    var amounts = [[CurrencyCode?: Amount]](repeating: [:], count: group.figures.count)
    for end in [FigureDefinition.WindowEnd.start, .end] {
      for (place, balance) in sums.balances(at: end) {
        let position = sums.kinds.positions[place]
        let currency = group.split == .byCurrency ? position.currency : nil
        for figure in figures(counting: position, place, at: end) {
          amounts[figure][currency, default: Amount()].lines &+= balance.lines
          guard currency != nil else { continue }
          amounts[figure][currency]?.micros += balance.monthlyMicros
          guard reporting != nil else { continue }
          amounts[figure][currency]?.converted += balance.converted.micros
          amounts[figure][currency]?.unconverted &+= balance.converted.unconverted
        }
      }
    }
    for (place, sum) in sums.changes {
      for term in terms(of: sums.kinds.changes[place].change, place) {
        amounts[term.figure][term.revenue?.currency, default: Amount()].add(sum, term.revenue, in: reporting)
      }
    }
    return amounts
  }

  private mutating func figures(
    counting position: PositionClass, _ place: Int, at end: FigureDefinition.WindowEnd
  ) -> [Int] {
    let group = group
    func find() -> [Int] {
      guard group.split == .none || position.currency != nil else { return [] }
      return group.figures.indices.filter { group.figures[$0].value.counts(position, at: end) }
    }
    return end == .start ? atStart.known(place, find) : atEnd.known(place, find)
  }

  private mutating func terms(of change: ScopedChange, _ place: Int) -> [Term] {
    let group = group
    return terms.known(place) {
      group.figures.enumerated().flatMap { figure, definition in
        group.split == .byCurrency
          ? definition.value.terms(change).map { Term(figure: figure, revenue: $0) }
          : definition.value.counts(change) ? [Term(figure: figure)] : []
      }
    }
  }
}

extension Array {
  /// What is known of a place, or is found now.
  mutating func known<Value>(_ place: Int, _ find: () -> Value) -> Value where Element == Value? {
    if place < count, let known = self[place] { return known }
    let found = find()
    if place >= count { self += Array(repeating: nil, count: place + 1 - count) }
    self[place] = found
    return found
  }
}

extension ChangeSum {
  subscript(amount: RevenueTerm.Amount) -> Int128 {
    switch amount {
    case .before: monthlyBefore
    case .after: monthlyAfter
    case .convertedBefore: convertedBefore.micros
    case .convertedAfter: convertedAfter.micros
    }
  }
}

extension GroupEvaluator.Amount {
  /// - Parameter revenue: nil is lines.
  fileprivate mutating func add(_ sum: ChangeSum, _ revenue: RevenueTerm?, in reporting: CurrencyCode?) {
    guard let revenue else {
      lines &+= sum.lines
      return
    }
    let amount = sum[revenue.amount] * Int128(revenue.times)
    if !revenue.isConverted {
      micros += amount
    } else if reporting != nil {
      converted += amount
    }
    guard revenue.amount == .convertedAfter, reporting != nil else { return }
    unconverted &+= sum.convertedAfter.unconverted
  }
}
