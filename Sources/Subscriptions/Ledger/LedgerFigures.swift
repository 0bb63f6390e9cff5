extension LedgerFigures {
  public init(_ groups: [FigureGroup], from sums: LedgerSums, _ question: Question) {
    var counter = LineCounter(PanelCounting(groups), question)
    self.init(groups, counter.counts(sums))
  }

  fileprivate init(_ groups: [FigureGroup], _ counts: LineCounts) {
    self.init(groups: groups.map { EvaluatedGroup($0, counts) })
  }
}

extension EvaluatedGroup {
  fileprivate init(_ group: FigureGroup, _ counts: LineCounts) {
    let (figures, reporting) = (group.figures, counts.reporting)
    let amounts = figures.map { counts[group.path(of: $0)] }
    let (rows, total, unconverted): ([Row], Row?, Int)
    switch group.split {
    case .none:
      (rows, total, unconverted) = ([Row(values: amounts.map { Int128($0[nil]?.rows ?? 0) })], nil, 0)
    case .byCurrency:
      let currencies = amounts.reduce(into: Set<CurrencyCode>()) { all, amounts in
        all.formUnion(amounts.filter { $0.value.micros != 0 || !$0.value.converted.isZero }.compactMap(\.key))
      }
      let places = Self.ends(of: figures)
      rows = currencies.sorted().map { currency in
        let all = amounts.map { $0[currency] ?? RowSum() }
        let isKnown =
          reporting != nil
          && (all.contains { $0.converted.micros != 0 } || !all.contains { $0.converted.unconverted > 0 })
        return Row(
          currency: currency, values: all.map(\.micros),
          converted: isKnown ? all.map(\.converted.micros) : nil,
          lines: places.map { Ends(start: all[$0.start].rows, end: all[$0.end].rows) } ?? Ends())
      }
      let converted = amounts.map { $0.values.reduce(0) { $0 + $1.converted.micros } }
      func withRates(_ place: Int) -> Int64 {
        amounts[place].values.reduce(0) { $0 &+ $1.rows &- $1.converted.unconverted }
      }
      total = reporting.map { currency in
        Row(
          currency: currency, values: converted, converted: converted,
          lines: places.map { Ends(start: withRates($0.start), end: withRates($0.end)) } ?? Ends())
      }
      unconverted =
        reporting == nil
        ? 0
        : Int(
          zip(figures, amounts).reduce(0) { count, figure in
            figure.0.isBalance && !figure.0.isOfStart
              ? count : figure.1.values.reduce(count) { $0 + $1.converted.unconverted }
          })
    }
    self.init(group: group, rows: rows, total: total, unconverted: unconverted)
  }
}

extension LedgerFigures {
  /// Returns the figures of each part of a split that is not of time. A line that moves between parts counts
  /// in both.
  public static func parts(
    _ split: MovementSplit, _ groups: [FigureGroup], _ sums: LedgerSums, _ question: Question
  ) -> [Part] {
    var counter = LineCounter(PanelCounting(groups), question)
    return counter.counts(sums, by: split).map { part, counts in
      Part(part: part, window: question.window, groups: LedgerFigures(groups, counts).groups)
    }
    .filter { $0.groups.contains { !$0.isEmpty } }.sorted(by: Part.inOrder)
  }
}

extension Ledger {
  /// Returns the groups of `report movement`, with the parts of the question's split.
  func movement(_ sums: LedgerSums, _ question: Question) throws(Failure) -> LedgerFigures {
    var counter = LineCounter(PanelCounting(.movement), question)
    var figures = LedgerFigures(Movement.groups, counter.counts(sums))
    guard let split = question.split else { return figures }
    figures.split = split
    guard split.isOfTime else {
      figures.parts = LedgerFigures.parts(split, Movement.groups, sums, question)
      return figures
    }
    var standing = sums.start
    for part in MovementPart.stretches(of: question.window, by: split) {
      let window = part.window(within: question.window)
      let sums = LedgerSums(
        start: standing, changes: try changes(after: window.from, through: window.to))
      standing = sums.end
      figures.parts.append(
        LedgerFigures.Part(
          part: part, window: window,
          groups: LedgerFigures(Movement.groups, counter.counts(sums)).groups))
    }
    return figures
  }
}

extension LedgerFigures.Part {
  /// Orders parts by number of subscribers, most first, and then by name. The unknown part comes last.
  fileprivate static func inOrder(_ left: Self, _ right: Self) -> Bool {
    let (some, others) = (left.size, right.size)
    if some != others { return some > others }
    guard let name = left.part.value else { return false }
    return right.part.value.map { name < $0 } ?? true
  }

  private var size: Int64 { self["subscribers"]?["end"] ?? 0 }
}
