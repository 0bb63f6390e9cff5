/// Evaluates a group's figures over any sums of the same kinds.
struct GroupEvaluator {
  let group: FigureGroup
  let reporting: CurrencyCode?
  var figures: [FigureEvaluator]

  init(_ group: FigureGroup, _ question: Question) {
    self.group = group
    reporting = question.reportingCurrency
    figures = group.figures.map { [reporting] in FigureEvaluator($0, in: reporting) }
  }
}

/// Evaluates a figure. What it counts of a kind is asked once, however many sums it is evaluated over.
struct FigureEvaluator {
  /// What a figure comes to in one currency.
  struct Amount {
    var micros: Int64 = 0
    /// Of the reporting currency.
    var converted: Int64 = 0
    /// Rows that came to the figure without a rate.
    var unconverted: Int64 = 0
    /// Of a balance.
    var lines: Int64 = 0

    var isZero: Bool { micros == 0 && converted == 0 && unconverted == 0 }
  }

  private let figure: FigureDefinition
  private let reporting: CurrencyCode?
  /// By the places of positions.
  private var isCounted: [Bool?] = []
  /// By the places of changes.
  private var times: [Int64?] = []
  private var terms: [[RevenueTerm]?] = []

  init(_ figure: FigureDefinition, in reporting: CurrencyCode?) {
    (self.figure, self.reporting) = (figure, reporting)
  }

  /// How many lines the figure counts.
  mutating func lines(_ sums: ScopedSums) -> Int64 {
    switch figure.value {
    case .balance(let end, let isCounted):
      sums.balances(at: end).reduce(0) { lines, standing in
        let isOne = self.isCounted.known(standing.place) { isCounted(sums.kinds.positions[standing.place]) }
        return lines &+ (isOne ? standing.balance.lines : 0)
      }
    case .flow, .revenue, .conversion:
      sums.changes.reduce(0) { lines, changed in
        let times = self.times.known(changed.place) {
          figure.value.times(sums.kinds.changes[changed.place].change)
        }
        return lines &+ times &* changed.sum.lines
      }
    }
  }

  /// What a figure of revenue comes to.
  mutating func amounts(_ sums: ScopedSums) -> [CurrencyCode: Amount] {
    var amounts: [CurrencyCode: Amount] = [:]
    switch figure.value {
    case .balance(let end, let isCounted):
      for (place, balance) in sums.balances(at: end) {
        let position = sums.kinds.positions[place]
        guard self.isCounted.known(place, { isCounted(position) }), let currency = position.currency else {
          continue
        }
        amounts[currency, default: Amount()].micros &+= balance.monthlyMicros
        amounts[currency, default: Amount()].lines &+= balance.lines
        amounts[currency, default: Amount()].come(balance.converted, in: reporting)
      }
    case .flow, .revenue, .conversion:
      for (place, sum) in sums.changes {
        for term in terms.known(place, { figure.value.terms(sums.kinds.changes[place].change) }) {
          let amount = sum[term.amount] &* term.times
          if !term.isConverted {
            amounts[term.currency, default: Amount()].micros &+= amount
          } else if reporting != nil {
            amounts[term.currency, default: Amount()].converted &+= amount
          }
          guard term.amount == .convertedAfter, reporting != nil else { continue }
          amounts[term.currency, default: Amount()].unconverted &+= sum.convertedAfter.unconverted
        }
      }
    }
    return amounts
  }
}

extension Array {
  /// What is known of a place, or is found now.
  fileprivate mutating func known<Value>(_ place: Int, _ find: () -> Value) -> Value where Element == Value? {
    if place < count, let known = self[place] { return known }
    let found = find()
    if place >= count { self += Array(repeating: nil, count: place + 1 - count) }
    self[place] = found
    return found
  }
}

extension Turnover {
  subscript(amount: RevenueTerm.Amount) -> Int64 {
    switch amount {
    case .before: monthlyBefore
    case .after: monthlyAfter
    case .convertedBefore: convertedBefore.micros
    case .convertedAfter: convertedAfter.micros
    }
  }
}

extension FigureEvaluator.Amount {
  fileprivate mutating func come(_ sum: Converted, in reporting: CurrencyCode?) {
    guard reporting != nil else { return }
    converted &+= sum.micros
    unconverted &+= sum.unconverted
  }
}
