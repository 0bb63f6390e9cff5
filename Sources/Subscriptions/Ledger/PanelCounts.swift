/// What the figures of a panel come to that `PanelCounting` counts, by their paths.
struct PanelCounts: Sendable {
  struct Count: Hashable, Sendable {
    var lines = 0
    /// What their current rows cost a month, in micros for each currency.
    var monthly: Amounts

    /// - Parameter currency: of an amount; nil where lines are counted.
    fileprivate mutating func add(_ balance: Balance, _ currency: CurrencyCode?) {
      lines += Int(balance.lines)
      guard let currency else { return }
      monthly.add(Money(micros: balance.monthlyMicros, currency: currency), balance.converted)
    }
  }

  private let none: Count
  private(set) var counts: [String: Count] = [:]

  fileprivate init(in reporting: CurrencyCode?) { none = Count(monthly: Amounts(in: reporting)) }

  /// - Parameter panel: whose figures, which may be others than the question's.
  init(_ panel: Panel, _ sums: ScopedSums, _ question: Question) {
    var evaluator = PanelEvaluator(panel, question)
    self = evaluator.counts(sums)
  }

  /// The same of each value of a split that is not of time.
  static func parts(
    of panel: Panel, _ course: LedgerCourse, by split: MovementSplit, _ question: Question
  ) -> [(MovementPart, PanelCounts)] {
    var evaluator = PanelEvaluator(panel, question)
    return course.parts(by: split).map { ($0, evaluator.counts($1)) }
  }

  fileprivate mutating func add(_ balance: Balance, to paths: [String], _ currency: CurrencyCode?) {
    for path in paths { counts[path, default: none].add(balance, currency) }
  }

  /// Lost of those paid or in retry at the start; `nil` if there were none.
  var churnRate: Double? {
    let base = self["base_at_start"].lines
    return base == 0 ? nil : Double(self["churn_rate"].lines) / Double(base)
  }

  /// Nothing where no figure has the path.
  subscript(path: String) -> Count { counts[path] ?? none }
}

/// Counts a panel's figures over any sums of the same kinds. Which of them count a kind is asked once, however many sums are counted.
struct PanelEvaluator {
  private let counting: PanelCounting
  private let reporting: CurrencyCode?
  /// By the places of positions.
  private var atStart: [[String]?] = []
  private var atEnd: [[String]?] = []
  /// By the places of changes.
  private var changed: [[String]?] = []

  init(_ panel: Panel, _ question: Question) {
    counting = PanelCounting(panel)
    reporting = question.reportingCurrency
  }

  mutating func counts(_ sums: ScopedSums) -> PanelCounts {
    var counts = PanelCounts(in: reporting)
    let counting = counting
    for (place, balance) in sums.balances(at: .start) {
      let position = sums.kinds.positions[place]
      counts.add(
        balance, to: atStart.known(place) { counting.pathsAtStart(position) }, position.currency)
    }
    for (place, balance) in sums.balances(at: .end) {
      let position = sums.kinds.positions[place]
      counts.add(balance, to: atEnd.known(place) { counting.paths(position) }, position.currency)
    }
    for (place, sum) in sums.changes {
      let change = sums.kinds.changes[place].change
      counts.add(sum.after, to: changed.known(place) { counting.paths(change) }, nil)
    }
    return counts
  }
}
