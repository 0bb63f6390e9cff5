/// Totals of all rows behind a figure, computed from the figure's sums without reading any row.
public struct RowTotals: Sendable {
  private let figure: String?
  private let question: Question
  private var sums: [CurrencyCode?: RowSum] = [:]
  /// Proceeds of sales after Apple's commission.
  private var proceedsSums: [CurrencyCode?: RowSum] = [:]
  /// Amounts of the episodes that a figure counts, or of the lines in a cohort's cell.
  private var others: Amounts?
  /// Whether there are rows without a sum.
  fileprivate var isUnknown = false

  /// - Parameter figure: Path in the panel's JSON; `nil` is any.
  public init(behind figure: String?, _ question: Question) {
    (self.figure, self.question) = (figure, question)
  }

  /// Total amounts; empty if no row has one.
  public var amounts: Amounts { others ?? Amounts(sums, in: question.reportingCurrency) }
  public var proceeds: Amounts { Amounts(proceedsSums, in: question.reportingCurrency) }

  private func isBehind(_ paths: [String]) -> Bool { figure.map(paths.contains) ?? true }

  /// Adds facts and episodes, from counts that sum the rows behind the figure.
  public mutating func add(_ counts: DatedCounts) {
    sums.merge(counts.totals(.amounts)) { $0 + $1 }
    proceedsSums.merge(counts.totals(.proceeds)) { $0 + $1 }
    guard !PanelCounting(question.panel).episodeFamilies.isEmpty else { return }
    guard let figure, EpisodeRows.areSummed(figure) else {
      isUnknown = true
      return
    }
    let amounts = counts.amounts(figure)
    if !amounts.isEmpty, EpisodeRows.haveAmounts(figure) { others = amounts }
  }

  /// Sets the revenue of the lines in a cohort's cell.
  public mutating func add(_ cohorts: CohortCounts, _ cell: CohortCell?) {
    others = cell.flatMap { cohorts.amounts($0, in: question.reportingCurrency) }
    isUnknown = others == nil
  }

  /// Adds positions and changes of lines.
  public mutating func add(_ ledger: LedgerSums) {
    let figures = PanelCounting(question.panel)
    for (end, balances) in [(FigureDefinition.WindowEnd.start, ledger.start), (.end, ledger.end)] {
      for (position, balance) in balances {
        guard let counted = figures.counted(position, at: end, question), isBehind(counted.paths),
          let currency = counted.currency
        else { continue }
        sums[currency, default: RowSum()] += balance
      }
    }
    for (kind, sum) in ledger.changes {
      for counted in figures.counted(kind, question) where isBehind(counted.paths) {
        guard let currency = counted.currency, let scoped = ScopedChange(kind, in: question) else { continue }
        sums[currency, default: RowSum()] += scoped.revenue(of: sum, in: currency)
      }
    }
  }
}

extension ScopedChange {
  /// Effect of these changes on the monthly revenue of paid lines in a currency, also converted to the
  /// reporting currency.
  fileprivate func revenue(of sum: ChangeSum, in currency: CurrencyCode) -> RowSum {
    func of(_ position: PositionClass?, _ balance: RowSum) -> RowSum {
      position?.set == .paid && position?.currency == currency ? balance : RowSum()
    }
    let (before, after) = (of(old, sum.before), of(new, sum.after))
    // The conversion is incomplete if either side had no rate.
    let converted = Converted(
      micros: after.converted.micros - before.converted.micros,
      unconverted: after.converted.unconverted &+ before.converted.unconverted)
    return RowSum(rows: sum.lines, micros: after.micros - before.micros, converted: converted)
  }
}

extension FigureRows {
  /// - Parameter totals: Totals of all rows behind the figure.
  public init(count: Int, rows: [FigureRow], _ totals: RowTotals) {
    self.init(count: count, rows: rows)
    if !totals.isUnknown { (amounts, proceeds) = (totals.amounts, totals.proceeds) }
  }
}
