/// Values of figures that count lines, by path.
struct LineCounts: Sendable {
  let reporting: CurrencyCode?
  /// Number of lines, and their monthly revenue or its change, by path and currency.
  private(set) var amounts: [String: [CurrencyCode?: RowSum]] = [:]

  subscript(path: String) -> [CurrencyCode?: RowSum] { amounts[path] ?? [:] }

  func lines(_ path: String) -> Int { Int(self[path].values.reduce(0) { $0 &+ $1.rows }) }

  func monthly(_ path: String) -> Amounts { Amounts(self[path], in: reporting) }

  /// Share of the lines paid or in retry at the start that were lost; `nil` if there were none.
  var churnRate: Double? {
    let base = lines("base_at_start")
    return base == 0 ? nil : Double(lines("churn_rate")) / Double(base)
  }

  fileprivate mutating func add(_ balance: RowSum, to term: LineTerm) {
    var sum = RowSum(rows: balance.rows)
    if term.value == .balance, term.currency != nil {
      sum.micros = balance.micros
      if reporting != nil { sum.converted = balance.converted }
    }
    amounts[term.path, default: [:]][term.currency, default: RowSum()] += sum
  }

  fileprivate mutating func add(_ change: ChangeSum, to term: LineTerm) {
    var sum = RowSum()
    switch term.value {
    case .lines, .balance: sum.rows = change.lines
    case .revenue(let revenue) where !revenue.isConverted: sum.micros = change[revenue]
    case .revenue(let revenue):
      guard reporting != nil else { break }
      let unconverted = revenue == .convertedAfter ? change.convertedAfter.unconverted : 0
      sum.converted = Converted(micros: change[revenue], unconverted: unconverted)
    }
    amounts[term.path, default: [:]][term.currency, default: RowSum()] += sum
  }
}

/// Counts figures over any sums. The terms of a class are looked up once.
struct LineCounter {
  private enum Key: Hashable {
    case position(PositionClass, FigureDefinition.WindowEnd)
    case change(ChangeClass, Side)
  }

  /// Sides of a change that are counted.
  private enum Side { case both, old, new }

  let counting: PanelCounting
  private let question: Question
  private var known: [Key: [LineTerm]] = [:]

  init(_ counting: PanelCounting, _ question: Question) {
    (self.counting, self.question) = (counting, question)
  }

  mutating func counts(_ sums: LedgerSums) -> LineCounts {
    var counts = LineCounts(reporting: question.reportingCurrency)
    for end in [FigureDefinition.WindowEnd.start, .end] {
      for (position, balance) in sums.balances(at: end) {
        for term in terms(.position(position, end)) { counts.add(balance, to: term) }
      }
    }
    for (change, sum) in sums.changes {
      for term in terms(.change(change, .both)) { counts.add(sum, to: term) }
    }
    return counts
  }

  /// Returns the values of each part of a split that is not of time. A change from one part to another counts
  /// in both.
  mutating func counts(_ sums: LedgerSums, by split: MovementSplit) -> [MovementPart: LineCounts] {
    var counts: [MovementPart: LineCounts] = [:]
    let none = LineCounts(reporting: question.reportingCurrency)
    func part(of position: PositionClass?) -> MovementPart? {
      position.flatMap { question.includes($0) ? MovementPart(of: $0, by: split) : nil }
    }
    for end in [FigureDefinition.WindowEnd.start, .end] {
      for (position, balance) in sums.balances(at: end) {
        guard let part = part(of: position) else { continue }
        for term in terms(.position(position, end)) {
          counts[part, default: none].add(balance, to: term)
        }
      }
    }
    for (change, sum) in sums.changes {
      let (old, new) = (part(of: change.old), part(of: change.new))
      for (part, side) in old == new ? [(new, Side.both)] : [(old, .old), (new, .new)] {
        guard let part else { continue }
        for term in terms(.change(change, side)) { counts[part, default: none].add(sum, to: term) }
      }
    }
    return counts
  }

  private mutating func terms(_ key: Key) -> [LineTerm] {
    if let terms = known[key] { return terms }
    let terms: [LineTerm]
    switch key {
    case .position(let position, let end):
      terms = question.includes(position) ? counting.terms(position, at: end) : []
    case .change(let change, .both):
      terms = ScopedChange(change, in: question).map(counting.terms) ?? []
    case .change(let change, let side):
      let scoped = ScopedChange(
        old: side == .old ? change.old : nil, new: side == .new ? change.new : nil,
        flow: change.flow,
        reason: change.new.reason)
      terms = counting.terms(scoped)
    }
    known[key] = terms
    return terms
  }
}
