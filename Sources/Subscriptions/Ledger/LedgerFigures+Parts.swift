extension LedgerFigures {
  /// The figures of each value of a split that is not of time. A line that goes from one to another is in the figures of both.
  public static func parts(
    _ split: MovementSplit, _ groups: [FigureGroup], _ sums: LedgerSums, _ question: Question
  ) -> [Part] {
    sums.parts(by: split, question).map { part, sums in
      var narrow = question
      narrow.part = part
      return Part(
        part: part, window: question.window, groups: LedgerFigures(groups, from: sums, narrow).groups)
    }
    .filter { $0.groups.contains { !$0.isEmpty } }.sorted(by: Part.inOrder)
  }
}

extension Ledger {
  /// `report movement`, with its parts where these are asked for.
  func movement(_ sums: LedgerSums, _ question: Question) throws(Failure) -> LedgerFigures {
    var figures = LedgerFigures(Movement.groups, from: sums, question)
    guard let split = question.split else { return figures }
    figures.split = split
    guard split.isOfTime else {
      figures.parts = LedgerFigures.parts(split, Movement.groups, sums, question)
      return figures
    }
    var last = LedgerSums(from: sums.start, changes: [:])
    for part in MovementPart.stretches(of: question.window, by: split) {
      let window = part.window(within: question.window)
      last = LedgerSums(after: last, changes: try changes(after: window.from, through: window.to))
      figures.parts.append(
        LedgerFigures.Part(
          part: part, window: window, groups: LedgerFigures(Movement.groups, from: last, question).groups))
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

extension LedgerSums {
  /// The sums that speak of each value; a change from one to another is among those of both.
  fileprivate func parts(by split: MovementSplit, _ question: Question) -> [MovementPart: LedgerSums] {
    var parts: [MovementPart: LedgerSums.Parts] = [:]
    func part(_ position: PositionClass?) -> MovementPart? {
      position.flatMap { question.includes($0) ? MovementPart(of: $0, by: split) : nil }
    }
    for (position, balance) in start {
      if let part = part(position) { parts[part, default: Parts()].start[position] = balance }
    }
    for (position, balance) in end {
      if let part = part(position) { parts[part, default: Parts()].end[position] = balance }
    }
    for (change, sum) in changes {
      for part in Set([part(change.old), part(change.new)].compactMap(\.self)) {
        parts[part, default: Parts()].changes[change] = sum
      }
    }
    return parts.mapValues(LedgerSums.init)
  }
}
