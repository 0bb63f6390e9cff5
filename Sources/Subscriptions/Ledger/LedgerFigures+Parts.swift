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

extension EvaluatedGroup {
  /// Whether all its figures are 0.
  public var isEmpty: Bool { rows.allSatisfy { row in row.values.allSatisfy { $0 == 0 } } }
}
