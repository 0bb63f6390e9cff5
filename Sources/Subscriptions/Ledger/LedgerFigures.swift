extension LedgerFigures {
  public init(_ groups: [FigureGroup], from sums: LedgerSums, _ question: Question) {
    var counter = LineCounter(.movement, question)
    self.init(groups, counter.counts(sums))
  }

  fileprivate init(_ groups: [FigureGroup], _ counts: LineCounts) {
    self.init(groups: groups.map { EvaluatedGroup($0, counts) })
  }

  /// Returns the figures of each product or other part; a line that moves between parts counts in both.
  public static func parts(
    _ split: MovementSplit, _ groups: [FigureGroup], _ sums: LedgerSums, _ question: Question
  ) -> [Part] {
    var counter = LineCounter(.movement, question)
    return counter.counts(sums) { MovementPart(of: $0, by: split) }.map { part, counts in
      Part(part: part, window: question.window, groups: LedgerFigures(groups, counts).groups)
    }
    .filter { $0.groups.contains { !$0.isEmpty } }.sorted(by: Part.inOrder)
  }
}

extension EvaluatedGroup {
  fileprivate init(_ group: FigureGroup, _ counts: LineCounts) {
    let (figures, reporting) = (group.figures, counts.reporting)
    guard group.split == .byCurrency else {
      let lines = figures.map { Int128(counts.lines(group.path(of: $0))) }
      self.init(group: group, rows: [Row(values: lines)], total: nil, unconverted: 0)
      return
    }
    let amounts = figures.map { counts[group.path(of: $0)] }
    let currencies = Set(
      amounts.joined().filter { $0.value.micros != 0 || !$0.value.converted.isZero }.compactMap(\.key))
    func ends(_ lines: (Int) -> Int64) -> Ends {
      Self.ends(of: figures).map { Ends(start: lines($0.start), end: lines($0.end)) } ?? Ends()
    }
    let rows = currencies.sorted().map { currency in
      let all = amounts.map { $0[currency] ?? RowSum() }
      let isKnown =
        reporting != nil
        && (all.contains { $0.converted.micros != 0 } || !all.contains { $0.converted.unconverted > 0 })
      return Row(
        currency: currency, values: all.map(\.micros), converted: isKnown ? all.map(\.converted.micros) : nil,
        lines: ends { all[$0].rows })
    }
    let whole = amounts.map { $0.values.reduce(RowSum(), +) }
    let converted = whole.map(\.converted.micros)
    let total = reporting.map { currency in
      Row(
        currency: currency, values: converted, converted: converted,
        lines: ends { whole[$0].rows &- whole[$0].converted.unconverted })
    }
    let unconverted = zip(figures, whole).reduce(0) { count, figure in
      figure.0.isBalance && !figure.0.isOfStart ? count : count + figure.1.converted.unconverted
    }
    self.init(group: group, rows: rows, total: total, unconverted: reporting == nil ? 0 : Int(unconverted))
  }
}

extension Ledger {
  /// Returns the groups of `report movement`, with the parts of the question's split.
  func movement(_ sums: LedgerSums, _ question: Question) throws(Failure) -> LedgerFigures {
    var counter = LineCounter(.movement, question)
    var figures = LedgerFigures(Movement.groups, counter.counts(sums))
    guard let split = question.split else { return figures }
    figures.split = split
    guard split.isOfTime else {
      figures.parts = LedgerFigures.parts(split, Movement.groups, sums, question)
      return figures
    }
    var standing = sums.start
    for part in MovementPart.stretches(of: question.window, by: split, in: question.length.zone) {
      let window = part.window(within: question.window, in: question.length.zone)
      let sums = LedgerSums(start: standing, changes: try changes(after: window.from, through: window.to))
      standing = sums.end
      figures.parts.append(
        LedgerFigures.Part(
          part: part, window: window, groups: LedgerFigures(Movement.groups, counter.counts(sums)).groups))
    }
    return figures
  }
}

extension LedgerFigures.Part {
  fileprivate static func inOrder(_ left: Self, _ right: Self) -> Bool {
    let (some, others) = (left.size, right.size)
    if some != others { return some > others }
    guard let name = left.part.value else { return false }
    return right.part.value.map { name < $0 } ?? true
  }

  private var size: Int64 { self["subscribers"]?["end"] ?? 0 }
}
