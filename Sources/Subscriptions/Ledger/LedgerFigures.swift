extension LedgerFigures {
  public init(_ groups: [FigureGroup], from sums: LedgerSums, _ question: Question) {
    self.init(groups, from: LedgerCourse(sums, question).sums, question)
  }

  init(_ groups: [FigureGroup], from sums: ScopedSums, _ question: Question) {
    var evaluators = groups.map { GroupEvaluator($0, question) }
    self.init(&evaluators, from: sums)
  }

  /// - Parameter evaluators: are used for other parts of the same sums as well.
  init(_ evaluators: inout [GroupEvaluator], from sums: ScopedSums) {
    self.init(groups: evaluators.indices.map { EvaluatedGroup(&evaluators[$0], sums) })
  }
}

extension EvaluatedGroup {
  fileprivate init(_ evaluator: inout GroupEvaluator, _ sums: ScopedSums) {
    let (group, reporting) = (evaluator.group, evaluator.reporting)
    let figures = group.figures.map {
      Figure(
        name: $0.name, label: $0.label, isBalance: $0.isBalance, isTakenOff: $0.isTakenOff,
        isOfConversion: $0.isOfConversion)
    }
    let amounts = evaluator.amounts(sums)
    let (rows, total, unconverted): ([Row], Row?, Int)
    switch group.split {
    case .none:
      (rows, total, unconverted) = ([Row(values: amounts.map { Int128($0[nil]?.lines ?? 0) })], nil, 0)
    case .byCurrency:
      let currencies = amounts.reduce(into: Set<CurrencyCode>()) { all, amounts in
        all.formUnion(amounts.filter { !$0.value.isZero }.compactMap(\.key))
      }
      let places = Self.ends(of: figures)
      rows = currencies.sorted().map { currency in
        let all = amounts.map { $0[currency] ?? GroupEvaluator.Amount() }
        let isKnown =
          reporting != nil
          && (all.contains { $0.converted != 0 } || !all.contains { $0.unconverted > 0 })
        return Row(
          currency: currency, values: all.map(\.micros), converted: isKnown ? all.map(\.converted) : nil,
          lines: places.map { Ends(start: all[$0.start].lines, end: all[$0.end].lines) } ?? Ends())
      }
      let converted = amounts.map { $0.values.reduce(0) { $0 + $1.converted } }
      func withRates(_ place: Int) -> Int64 {
        amounts[place].values.reduce(0) { $0 &+ $1.lines &- $1.unconverted }
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
          zip(group.figures, amounts).reduce(0) { count, figure in
            figure.0.isBalance && !figure.0.isOfStart
              ? count : figure.1.values.reduce(count) { $0 + $1.unconverted }
          })
    }
    self.init(
      name: group.name, label: group.label, split: group.split, figures: figures, rows: rows, total: total,
      unconverted: unconverted)
  }
}

extension LedgerFigures {
  /// The figures of each value of a split that is not of time. A line that goes from one to another is in the figures of both.
  public static func parts(
    _ split: MovementSplit, _ groups: [FigureGroup], _ sums: LedgerSums, _ question: Question
  ) -> [Part] {
    parts(split, groups, LedgerCourse(sums, question), question)
  }

  static func parts(
    _ split: MovementSplit, _ groups: [FigureGroup], _ course: LedgerCourse, _ question: Question
  ) -> [Part] {
    var evaluators = groups.map { GroupEvaluator($0, question) }
    return course.parts(by: split).map { part, sums in
      Part(
        part: part, window: question.window, groups: LedgerFigures(&evaluators, from: sums).groups)
    }
    .filter { $0.groups.contains { !$0.isEmpty } }.sorted(by: Part.inOrder)
  }
}

extension Ledger {
  /// `report movement`, with its parts where these are asked for.
  func movement(_ course: LedgerCourse, _ question: Question) throws(Failure) -> LedgerFigures {
    var evaluators = Movement.groups.map { GroupEvaluator($0, question) }
    var figures = LedgerFigures(&evaluators, from: course.sums)
    guard let split = question.split else { return figures }
    figures.split = split
    guard split.isOfTime else {
      figures.parts = LedgerFigures.parts(split, Movement.groups, course, question)
      return figures
    }
    var (course, last) = (course, course.beginning)
    for part in MovementPart.stretches(of: question.window, by: split) {
      let window = part.window(within: question.window)
      last = try course.follow(last, after: window.from, through: window.to, from: self)
      figures.parts.append(
        LedgerFigures.Part(
          part: part, window: window, groups: LedgerFigures(&evaluators, from: last).groups))
    }
    return figures
  }
}

extension LedgerFigures.Part {
  /// Those with most subscribers first, then by name; nobody knows which last.
  fileprivate static func inOrder(_ left: Self, _ right: Self) -> Bool {
    let (some, others) = (left.size, right.size)
    if some != others { return some > others }
    guard let name = left.part.value else { return false }
    return right.part.value.map { name < $0 } ?? true
  }

  private var size: Int64 { self["subscribers"]?["end"] ?? 0 }
}
