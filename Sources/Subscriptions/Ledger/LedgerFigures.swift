/// What groups of figures come to: a report's `data`.
public struct LedgerFigures: Hashable, Sendable {
  /// The figures of one value of a split.
  public struct Part: Hashable, Sendable {
    public var part: MovementPart
    /// The whole window, or what of it the part is.
    public var window: Window
    public var groups: [EvaluatedGroup]

    public init(part: MovementPart, window: Window, groups: [EvaluatedGroup]) {
      (self.part, self.window, self.groups) = (part, window, groups)
    }

    public subscript(group: String) -> EvaluatedGroup? { groups.first { $0.name == group } }
  }

  public let groups: [EvaluatedGroup]
  /// By what the parts are told apart; nil where nobody asked for parts.
  public var split: MovementSplit?
  /// In order of time, or those with most at the end first.
  public var parts: [Part] = []

  /// Of nothing.
  public init() { groups = [] }

  public init(_ groups: [FigureGroup], from sums: LedgerSums, _ question: Question) {
    self.init(groups, from: LedgerCourse(sums, question).sums, question)
  }

  init(_ groups: [FigureGroup], from sums: ScopedSums, _ question: Question) {
    var evaluators = groups.map { GroupEvaluator($0, question) }
    self.init(&evaluators, from: sums)
  }

  /// - Parameter evaluators: are used for other parts of the same sums as well.
  init(_ evaluators: inout [GroupEvaluator], from sums: ScopedSums) {
    groups = evaluators.indices.map { EvaluatedGroup(&evaluators[$0], sums) }
  }

  public subscript(group: String) -> EvaluatedGroup? { groups.first { $0.name == group } }
}

/// A group's figures with their values.
public struct EvaluatedGroup: Hashable, Sendable {
  public struct Row: Hashable, Sendable {
    /// Nil where the group is not split.
    public var currency: CurrencyCode?
    /// In the order of `figures`: lines, or micros of the currency.
    public var values: [Int128]
    /// Amounts in the reporting currency; nil where there is none, or nothing of them could be converted.
    public var converted: [Int128]?
    /// Paid in the currency at the window's start and at its end; of the reporting currency, those with a rate.
    public var lines = Ends()
  }

  /// Lines at both ends of a window.
  public struct Ends: Hashable, Sendable {
    public var start: Int64 = 0
    public var end: Int64 = 0
  }

  public struct Figure: Hashable, Sendable {
    public var name: String
    public var label: String
    public var isBalance: Bool
    public var isTakenOff: Bool
    /// Whether there is nothing of it but in the reporting currency, and no row is behind it.
    public var isOfConversion: Bool
  }

  public let name: String
  public let label: String
  public let split: FigureGroup.Split
  public let figures: [Figure]
  /// One; or one for each currency in which there is anything, sorted by it.
  public let rows: [Row]
  /// All amounts in the reporting currency, but for what has no rate; nil where there is no such currency.
  public let total: Row?
  /// Rows that had no rate: those that stood at the window's start, and those that came to a figure in it.
  public let unconverted: Int

  fileprivate init(_ evaluator: inout GroupEvaluator, _ sums: ScopedSums) {
    let (group, reporting) = (evaluator.group, evaluator.reporting)
    (name, label, split) = (group.name, group.label, group.split)
    figures = group.figures.map {
      Figure(
        name: $0.name, label: $0.label, isBalance: $0.isBalance, isTakenOff: $0.isTakenOff,
        isOfConversion: $0.isOfConversion)
    }
    let amounts = evaluator.amounts(sums)
    switch group.split {
    case .none:
      rows = [Row(values: amounts.map { Int128($0[nil]?.lines ?? 0) })]
      (total, unconverted) = (nil, 0)
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
  }

  /// What there was at the window's ends, to the instant; nil where nothing is told of it.
  ///
  /// - Parameter currency: of a group that is split; nil is all of it in the reporting currency.
  public func values(in currency: CurrencyCode? = nil) -> (start: Int128, end: Int128)? {
    let row = split == .none ? rows.first : currency == nil ? total : rows.first { $0.currency == currency }
    guard let (start, end) = ends, let row else { return nil }
    return (row.values[start], row.values[end])
  }

  /// The value of a figure that is not split; nil where there is none of the name.
  public subscript(figure: String) -> Int64? {
    guard split == .none, let place = figures.firstIndex(where: { $0.name == figure }) else { return nil }
    return (rows.first?.values[place]).map { Int64(clamping: $0) }
  }

  /// The places of what stood at the window's start and at its end.
  public var ends: (start: Int, end: Int)? { Self.ends(of: figures) }

  private static func ends(of figures: [Figure]) -> (start: Int, end: Int)? {
    guard let start = figures.firstIndex(where: { $0.name == "start" }),
      let end = figures.firstIndex(where: { $0.name == "end" })
    else { return nil }
    return (start, end)
  }

  /// All in the reporting currency first, where that says more than the rows do, then the currencies in which most lines pay; or the one
  /// row. Amounts do not say which is the largest: there are many yen to a dollar.
  public var rowsByLines: [Row] {
    guard split == .byCurrency else { return rows }
    func key(_ row: Row) -> (Int64, Int64, String) {
      (0 &- row.lines.end, 0 &- row.lines.start, row.currency?.rawValue ?? "")
    }
    let sorted = rows.sorted { key($0) < key($1) }
    guard let total, rows.map(\.currency) != [total.currency], rows.contains(where: { $0.converted != nil })
    else { return sorted }
    return [total] + sorted
  }
}

extension LedgerFigures: Encodable {
  /// The figures by their paths in the JSON.
  public var values: FigureValues {
    var values = FigureValues(of: self)
    for group in groups { group.add(to: &values) }
    guard let split else { return values }
    values[parts: "by"] = parts.map { part in
      var values = FigureValues()
      values[text: split.key] = part.part.value
      if split.isOfTime {
        values["from_ms"] = Int(part.window.from.rawValue)
        values["to_ms"] = Int(part.window.to.rawValue)
      }
      for group in part.groups { group.add(to: &values) }
      return values
    }
    return values
  }

  public func encode(to encoder: any Encoder) throws { try values.encode(to: encoder) }
}

extension EvaluatedGroup: Encodable {
  fileprivate func add(to values: inout FigureValues) {
    guard split == .none else {
      values[value: name] = .group(self)
      return
    }
    for row in rows {
      for (figure, value) in zip(figures, row.values) {
        values["\(name).\(figure.name)"] = Int(clamping: value)
      }
    }
  }

  /// A list with an object for each currency.
  public func encode(to encoder: any Encoder) throws {
    var list = encoder.unkeyedContainer()
    for row in rows {
      var object = list.nestedContainer(keyedBy: NameKey.self)
      try object.encode(row.currency, forKey: NameKey("currency"))
      for (figure, value) in zip(figures, row.values) where !figure.isOfConversion {
        try object.encode(value, forKey: NameKey("\(figure.name)_micros"))
      }
      guard total != nil else { continue }
      guard let converted = row.converted else {
        try object.encodeNil(forKey: NameKey("converted"))
        continue
      }
      var amounts = object.nestedContainer(keyedBy: NameKey.self, forKey: NameKey("converted"))
      for (figure, value) in zip(figures, converted) {
        try amounts.encode(value, forKey: NameKey("\(figure.name)_micros"))
      }
    }
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

extension EvaluatedGroup {
  /// Whether all its figures are 0.
  public var isEmpty: Bool { rows.allSatisfy { row in row.values.allSatisfy { $0 == 0 } } }
}
