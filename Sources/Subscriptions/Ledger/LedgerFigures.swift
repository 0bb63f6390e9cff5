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
    /// Amounts in the reporting currency; nil where there is none, or nothing of them could be converted.
    public var converted: [Int64]?
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
  /// All amounts in the reporting currency, but for what has no rate; nil where there is no such currency.
  public let total: Row?
  /// Rows that had no rate: those that stood at the window's start, and those that came to a figure in it.
  public let unconverted: Int

  fileprivate init(_ group: FigureGroup, _ sums: ScopedSums) {
    (name, label, split) = (group.name, group.label, group.split)
    figures = group.figures.map {
      Figure(name: $0.name, label: $0.label, isBalance: $0.isBalance, isTakenOff: $0.isTakenOff)
    }
    switch group.split {
    case .none:
      rows = [Row(values: group.figures.map(sums.lines))]
      (total, unconverted) = (nil, 0)
    case .byCurrency:
      let amounts = group.figures.map(sums.amounts)
      let currencies = amounts.reduce(into: Set<CurrencyCode>()) { all, amounts in
        all.formUnion(amounts.filter { !$0.value.isZero }.keys)
      }
      let reporting = sums.reporting
      rows = currencies.sorted().map { currency in
        let all = amounts.map { $0[currency] ?? ScopedSums.Amount() }
        let isKnown =
          reporting != nil
          && (all.contains { $0.converted != 0 } || !all.contains { $0.unconverted > 0 })
        return Row(
          currency: currency, values: all.map(\.micros), converted: isKnown ? all.map(\.converted) : nil)
      }
      let converted = amounts.map { $0.values.reduce(0) { $0 &+ $1.converted } }
      total = reporting.map { Row(currency: $0, values: converted, converted: converted) }
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

  /// The value of a figure that is not split; nil where there is none of the name.
  public subscript(figure: String) -> Int64? {
    guard split == .none, let place = figures.firstIndex(where: { $0.name == figure }) else { return nil }
    return rows.first?.values[place]
  }
}

/// Sums as far as a question asks about them.
private struct ScopedSums {
  /// What a figure comes to in one currency.
  struct Amount {
    var micros: Int64 = 0
    /// Of the reporting currency.
    var converted: Int64 = 0
    /// Rows that came to the figure without a rate.
    var unconverted: Int64 = 0

    var isZero: Bool { micros == 0 && converted == 0 && unconverted == 0 }
  }

  let reporting: CurrencyCode?
  private let start: [PositionClass: Balance]
  private let end: [PositionClass: Balance]
  private let changes: [(change: ScopedChange, sum: Turnover)]

  init(_ sums: LedgerSums, _ question: Question) {
    reporting = question.reportingCurrency
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

  /// What a figure of revenue comes to.
  func amounts(_ figure: FigureDefinition) -> [CurrencyCode: Amount] {
    var amounts: [CurrencyCode: Amount] = [:]
    switch figure.value {
    case .balance(let place, let isCounted):
      for (kind, balance) in balances(at: place) where isCounted(kind) {
        guard let currency = kind.currency else { continue }
        amounts[currency, default: Amount()].micros &+= balance.monthlyMicros
        amounts[currency, default: Amount()].come(balance.converted, in: reporting)
      }
    case .revenue(let lost, let gained):
      for (change, sum) in changes {
        if let currency = change.old?.currency, lost(change) {
          amounts[currency, default: Amount()].micros &-= sum.monthlyBefore
        }
        if let currency = change.new?.currency, gained(change) {
          amounts[currency, default: Amount()].micros &+= sum.monthlyAfter
        }
        var change = change
        change.isConverted = true
        if reporting != nil, let currency = change.old?.currency, lost(change) {
          amounts[currency, default: Amount()].converted &-= sum.convertedBefore.micros
        }
        if let currency = change.new?.currency, gained(change) {
          amounts[currency, default: Amount()].come(sum.convertedAfter, in: reporting)
        }
      }
    case .flow: break
    }
    return amounts
  }
}

extension ScopedSums.Amount {
  fileprivate mutating func come(_ sum: Converted, in reporting: CurrencyCode?) {
    guard reporting != nil else { return }
    converted &+= sum.micros
    unconverted &+= sum.unconverted
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
          guard group.total != nil else { continue }
          guard let converted = row.converted else {
            try object.encodeNil(forKey: Key("converted"))
            continue
          }
          var amounts = object.nestedContainer(keyedBy: Key.self, forKey: Key("converted"))
          for (figure, value) in zip(group.figures, converted) {
            try amounts.encode(value, forKey: Key("\(figure.name)_micros"))
          }
        }
      }
    }
  }
}
