/// What groups of figures come to: a report's `data`.
public struct LedgerFigures: Hashable, Sendable {
  public let groups: [EvaluatedGroup]

  public init(_ groups: [FigureGroup], from sums: LedgerSums, _ question: Question) {
    let scope = ScopedSums(sums, question)
    self.groups = groups.map { EvaluatedGroup($0, scope) }
  }

  public subscript(group: String) -> EvaluatedGroup? { groups.first { $0.name == group } }
}

/// A group's figures with their values.
public struct EvaluatedGroup: Hashable, Sendable {
  public struct Row: Hashable, Sendable {
    /// Nil where the group is not split.
    public var currency: CurrencyCode?
    /// In the order of `figures`: lines, or micros of the currency.
    public var values: [Int64]
  }

  public struct Figure: Hashable, Sendable {
    public var name: String
    public var label: String
    public var isBalance: Bool
    public var isTakenOff: Bool
  }

  public let name: String
  public let label: String
  public let split: FigureGroup.Split
  public let figures: [Figure]
  /// One; or one for each currency in which there is anything, sorted by it.
  public let rows: [Row]

  fileprivate init(_ group: FigureGroup, _ sums: ScopedSums) {
    (name, label, split) = (group.name, group.label, group.split)
    figures = group.figures.map {
      Figure(name: $0.name, label: $0.label, isBalance: $0.isBalance, isTakenOff: $0.isTakenOff)
    }
    switch group.split {
    case .none:
      rows = [Row(values: group.figures.map(sums.lines))]
    case .byCurrency:
      let amounts = group.figures.map(sums.amounts)
      let currencies = amounts.reduce(into: Set<CurrencyCode>()) { all, amounts in
        all.formUnion(amounts.filter { $0.value != 0 }.keys)
      }
      rows = currencies.sorted().map { currency in
        Row(currency: currency, values: amounts.map { $0[currency] ?? 0 })
      }
    }
  }

  /// The value of a figure that is not split; nil where there is none of the name.
  public subscript(figure: String) -> Int64? {
    guard split == .none, let place = figures.firstIndex(where: { $0.name == figure }) else { return nil }
    return rows.first?.values[place]
  }
}

/// Sums as far as a question asks about them.
private struct ScopedSums {
  private let start: [PositionClass: Balance]
  private let end: [PositionClass: Balance]
  private let changes: [(change: ScopedChange, sum: Turnover)]

  init(_ sums: LedgerSums, _ question: Question) {
    start = sums.start.filter { question.includes($0.key) }
    end = sums.end.filter { question.includes($0.key) }
    changes = sums.changes.compactMap { kind, sum in ScopedChange(kind, in: question).map { ($0, sum) } }
  }

  private func balances(at place: FigureDefinition.WindowEnd) -> [PositionClass: Balance] {
    place == .start ? start : end
  }

  /// How many lines a figure counts.
  func lines(_ figure: FigureDefinition) -> Int64 {
    switch figure.value {
    case .balance(let place, let isCounted):
      balances(at: place).reduce(0) { $0 &+ (isCounted($1.key) ? $1.value.lines : 0) }
    case .flow(let times):
      changes.reduce(0) { $0 &+ times($1.change) &* $1.sum.lines }
    case .revenue(let lost, let gained):
      changes.reduce(0) { $0 &+ (lost($1.change) || gained($1.change) ? $1.sum.lines : 0) }
    }
  }

  /// What a figure of revenue comes to, in micros.
  func amounts(_ figure: FigureDefinition) -> [CurrencyCode: Int64] {
    var amounts: [CurrencyCode: Int64] = [:]
    switch figure.value {
    case .balance(let place, let isCounted):
      for (kind, balance) in balances(at: place) where isCounted(kind) {
        if let currency = kind.currency { amounts[currency, default: 0] &+= balance.monthlyMicros }
      }
    case .revenue(let lost, let gained):
      for (change, sum) in changes {
        if let currency = change.old?.currency, lost(change) {
          amounts[currency, default: 0] &-= sum.monthlyBefore
        }
        if let currency = change.new?.currency, gained(change) {
          amounts[currency, default: 0] &+= sum.monthlyAfter
        }
      }
    case .flow: break
    }
    return amounts
  }
}

extension LedgerFigures: Encodable {
  /// A key that a figure's declaration names.
  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(_ name: String) { stringValue = name }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    for group in groups {
      switch group.split {
      case .none:
        guard let row = group.rows.first else { continue }
        var object = container.nestedContainer(keyedBy: Key.self, forKey: Key(group.name))
        for (figure, value) in zip(group.figures, row.values) {
          try object.encode(value, forKey: Key(figure.name))
        }
      case .byCurrency:
        var list = container.nestedUnkeyedContainer(forKey: Key(group.name))
        for row in group.rows {
          var object = list.nestedContainer(keyedBy: Key.self)
          try object.encode(row.currency, forKey: Key("currency"))
          for (figure, value) in zip(group.figures, row.values) {
            try object.encode(value, forKey: Key("\(figure.name)_micros"))
          }
        }
      }
    }
  }
}
