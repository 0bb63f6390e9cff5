/// What the rows behind a figure add up to, all of them, from the sums that the figure is made of: no row is read for it.
public struct RowTotals: Sendable {
  private let figure: String?
  private let question: Question
  private var sums: [CurrencyCode: Int128Sum] = [:]
  /// What Apple leaves of sales.
  private var proceedsSums: [CurrencyCode: Int128Sum] = [:]
  /// Of the episodes that a figure counts, or the lines of a cohort's cell.
  private var others: Amounts?
  /// Whether there are rows that no sum is kept of.
  fileprivate var isUnknown = false

  /// - Parameter figure: by its path in the panel's JSON; nil is any.
  public init(behind figure: String?, _ question: Question) {
    (self.figure, self.question) = (figure, question)
  }

  /// Empty where no row has an amount.
  public var amounts: Amounts { others ?? amounts(sums) }
  public var proceeds: Amounts { amounts(proceedsSums) }

  private func amounts(_ sums: [CurrencyCode: Int128Sum]) -> Amounts {
    var amounts = Amounts(in: question.reportingCurrency)
    for (currency, sum) in sums where sum.rows != 0 { amounts.add(sum, in: currency) }
    return amounts
  }

  private func isBehind(_ paths: some Sequence<String>) -> Bool {
    figure.map { figure in paths.contains { $0 == figure } } ?? true
  }

  /// Adds all that the question's panel counts.
  public mutating func add<L: Ledger>(from ledger: L) throws(L.Failure) {
    let sums = try ledger.sums(of: question.window)
    if let groups = question.panel.declaredFigures { return add(sums, of: groups) }
    add(sums, of: PanelCounting(question.panel))
    try add(factsOf: ledger)
  }

  /// Takes what a figure's episodes come to.
  public mutating func add(_ episodes: EpisodeCounts) {
    guard let figure, EpisodeRows.areSummed(figure) else {
      isUnknown = true
      return
    }
    let amounts = episodes[figure].amounts
    if !amounts.isEmpty, EpisodeRows.haveAmounts(figure) { others = amounts }
  }

  /// Takes what the lines of a cohort's cell brought.
  public mutating func add(_ cohorts: CohortCounts, _ cell: CohortCell?) {
    others = cell.flatMap {
      cohorts.amounts($0.part, months: $0.months, of: $0.month, in: question.reportingCurrency)
    }
    isUnknown = others == nil
  }

  /// Adds lines where they stand, and changes of lines.
  public mutating func add(_ ledger: LedgerSums, of figures: some FigureCounting) {
    for (end, balances) in [(FigureDefinition.WindowEnd.start, ledger.start), (.end, ledger.end)] {
      for (position, balance) in balances {
        guard let counted = figures.counted(position, at: end, question), isBehind(counted.paths),
          let currency = counted.currency
        else { continue }
        sums[currency, default: Int128Sum()] += Int128Sum(
          rows: balance.lines, micros: balance.monthlyMicros, converted: balance.converted)
      }
    }
    for (kind, sum) in ledger.changes {
      for counted in figures.counted(kind, question) where isBehind(counted.paths) {
        guard let currency = counted.currency, let scoped = ScopedChange(kind, in: question) else { continue }
        sums[currency, default: Int128Sum()] += scoped.revenue(of: sum, in: currency)
      }
    }
  }

  /// Adds what is dated, and lines that come due.
  public mutating func add<L: Ledger>(factsOf ledger: L) throws(L.Failure) {
    let (counting, window) = (PanelCounting(question.panel), question.window)
    for family in counting.families {
      var start = window.from
      for end in question.smallBusinessProgram.parts(after: window.from, through: window.to) {
        for (kind, sum) in try ledger.facts(family, after: start, through: end) { add(kind, sum, at: end) }
        start = end
      }
      for correction in try ledger.corrections(family, window) {
        add(correction.kind, correction.sum, at: window.stretchEnds[correction.place])
      }
    }
    guard question.panel == .overview else { return }
    for horizon in DueHorizon.allCases where DueFigures.holds(figure, within: horizon) {
      for (kind, sum) in try ledger.facts(FactFamily(horizon), after: nil, through: question.at) {
        guard question.includes(kind), let currency = kind.currency else { continue }
        sums[currency, default: Int128Sum()].add(sum, as: .amount)
      }
    }
  }

  private mutating func add(_ kind: FactClass, _ sum: FactSum, at t: Instant) {
    guard let currency = kind.currency, question.includes(kind) else { return }
    for counted in PanelCounting(question.panel).counted(kind, question, at: t)
    where isBehind(counted.parts.lazy.map(\.path)) {
      for part in counted.parts {
        switch part.unit {
        case .rows: break
        case .amount, .sale: sums[currency, default: Int128Sum()].add(sum, as: part.unit)
        case .proceeds: proceedsSums[currency, default: Int128Sum()].add(sum, as: part.unit)
        }
      }
    }
  }
}

extension ScopedChange {
  /// What changes of this kind did to the monthly revenue of paid lines in a currency, and the same in the reporting currency.
  fileprivate func revenue(of sum: ChangeSum, in currency: CurrencyCode) -> Int128Sum {
    func of(_ position: PositionClass?, _ balance: Balance) -> Balance {
      position?.set == .paid && position?.currency == currency ? balance : Balance()
    }
    let (before, after) = (of(old, sum.before), of(new, sum.after))
    // Where either had no rate, what it did is not known in full.
    let converted = Converted(
      micros: after.converted.micros - before.converted.micros,
      unconverted: after.converted.unconverted &+ before.converted.unconverted)
    return Int128Sum(
      rows: sum.lines, micros: after.monthlyMicros - before.monthlyMicros,
      converted: converted)
  }
}

extension FigureRows {
  /// - Parameter totals: those of all rows behind the figure.
  public init(count: Int, rows: [FigureRow], _ totals: RowTotals) {
    self.init(count: count, rows: rows)
    if !totals.isUnknown { (amounts, proceeds) = (totals.amounts, totals.proceeds) }
  }
}
