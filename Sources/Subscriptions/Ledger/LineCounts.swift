/// Values of figures that count lines, by path.
struct LineCounts: Sendable {
  let reporting: CurrencyCode?
  /// Number of lines, and their monthly revenue or its change, by path and currency.
  private(set) var amounts: [String: [CurrencyCode?: RowSum]] = [:]

  subscript(path: String) -> [CurrencyCode?: RowSum] { amounts[path] ?? [:] }

  func lines(_ path: String) -> Int { Int(self[path].values.reduce(0) { $0 &+ $1.rows }) }

  func monthly(_ path: String) -> Amounts { Amounts(self[path], in: reporting) }

  /// Churn rate (METRICS §5); `nil` if no line was in its base at the window's start.
  var churnRate: Double? {
    let base = lines("base_at_start")
    return base == 0 ? nil : Double(lines("churn_rate")) / Double(base)
  }

  mutating func add(_ other: LineCounts) {
    amounts.merge(other.amounts) { $0.merging($1, uniquingKeysWith: +) }
  }

  fileprivate mutating func add(_ terms: [LineTerm], _ sum: (LineTerm) -> RowSum) {
    for term in terms {
      var sum = sum(term)
      if reporting == nil { sum.converted = Converted() }
      amounts[term.path, default: [:]][term.currency, default: RowSum()] += sum
    }
  }
}

/// Evaluator of figures that count lines, with a cache of the terms of each class.
struct LineCounter {
  private enum Key: Hashable {
    case position(PositionClass, FigureDefinition.WindowEnd)
    case change(ChangeClass, hasOld: Bool, hasNew: Bool)
  }

  private let counting: PanelCounting
  private let question: Question
  private var known: [Key: [LineTerm]] = [:]

  init(_ panel: Panel, _ question: Question) { (counting, self.question) = (PanelCounting(panel), question) }

  mutating func counts(_ sums: LedgerSums) -> LineCounts {
    counts(sums) { _ in true }[true] ?? LineCounts(reporting: question.reportingCurrency)
  }

  /// Returns the values of each part; a change from one part to another counts in both.
  mutating func counts<Part: Hashable>(
    _ sums: LedgerSums, by part: (PositionClass) -> Part?
  ) -> [Part: LineCounts] {
    var counts: [Part: LineCounts] = [:]
    let none = LineCounts(reporting: question.reportingCurrency)
    func included(_ position: PositionClass?) -> Part? {
      position.flatMap { question.includes($0) ? part($0) : nil }
    }
    for end in FigureDefinition.WindowEnd.allCases {
      for (position, balance) in sums.balances(at: end) {
        guard let part = included(position) else { continue }
        counts[part, default: none].add(terms(.position(position, end))) { $0.sum(of: balance) }
      }
    }
    for (change, sum) in sums.changes {
      let (old, new) = (included(change.old), included(change.new))
      for part in old == new ? [old] : [old, new] {
        guard let part else { continue }
        let key = Key.change(change, hasOld: old == part, hasNew: new == part)
        counts[part, default: none].add(terms(key)) { $0.sum(of: sum) }
      }
    }
    return counts
  }

  private mutating func terms(_ key: Key) -> [LineTerm] {
    if let terms = known[key] { return terms }
    let terms =
      switch key {
      case .position(let position, let end): counting.terms(position, at: end)
      case .change(let change, let hasOld, let hasNew):
        counting.terms(ScopedChange(change, hasOld: hasOld, hasNew: hasNew))
      }
    known[key] = terms
    return terms
  }
}
