/// Sums of cohorts, cell by cell.
public struct CohortCounts: Sendable {
  public enum Part: Sendable {
    case retained
    /// All lines that have reached the instant, with their MRR when they were first paid.
    case of
  }

  private struct Total {
    var lines = 0
    private var currencies: [(code: CurrencyCode, sum: Int128Sum)] = []

    mutating func add(_ sum: Balance, _ currency: CurrencyCode?) {
      lines += Int(sum.lines)
      guard let currency, sum.lines != 0 else { return }
      add(Int128Sum(rows: sum.lines, micros: Int128(sum.monthlyMicros), converted: sum.converted), currency)
    }

    mutating func add(_ other: Total) {
      lines += other.lines
      for (code, sum) in other.currencies { add(sum, code) }
    }

    private mutating func add(_ sum: Int128Sum, _ currency: CurrencyCode) {
      if let place = currencies.firstIndex(where: { $0.code == currency }) {
        currencies[place].sum += sum
      } else {
        currencies.append((currency, sum))
      }
    }

    func amounts(in reporting: CurrencyCode?) -> Amounts {
      var amounts = Amounts(in: reporting)
      for (code, sum) in currencies { amounts.add(sum, in: code) }
      return amounts
    }
  }

  private struct Cell {
    var retained = Total()
    var of = Total()
  }

  /// Cells of each cohort, by the number of months since its first month.
  private var cells: [CivilMonth: [Cell]] = [:]

  public init() {}

  public mutating func add(
    _ sum: Balance, _ currency: CurrencyCode?, to part: Part, months: Int, of month: CivilMonth
  ) {
    var known = cells[month, default: []]
    cells[month] = nil
    while known.count <= months { known.append(Cell()) }
    switch part {
    case .retained: known[months].retained.add(sum, currency)
    case .of: known[months].of.add(sum, currency)
    }
    cells[month] = known
  }

  /// Adds a line to the cells that it has reached by the question's instant.
  mutating func add(_ line: Line, _ question: Question) {
    guard let (origin, life) = line.cohort(by: question.at), question.includes(origin),
      let start = life.marks.first
    else { return }
    let month = CivilMonth(of: life.first)
    for months in 0...CohortLife.mostMonths {
      guard life.first.adding(months: months) <= question.at else { break }
      add(start.sum, start.currency, to: .of, months: months, of: month)
    }
    for mark in life.marks {
      guard life.first.adding(months: mark.months) <= question.at else { break }
      add(mark.sum, mark.currency, to: .retained, months: mark.months, of: month)
    }
  }

  mutating func add(_ other: CohortCounts) {
    for (month, theirs) in other.cells {
      var known = cells[month, default: []]
      while known.count < theirs.count { known.append(Cell()) }
      for (place, cell) in theirs.enumerated() {
        known[place].retained.add(cell.retained)
        known[place].of.add(cell.of)
      }
      cells[month] = known
    }
  }

  /// Number of lines in all cohorts.
  public var firstPaid: Int { cells.values.reduce(0) { $0 + ($1.first?.of.lines ?? 0) } }

  public func lines(_ part: CohortCell.Part, months: Int, of month: CivilMonth) -> Int {
    guard let known = cells[month], known.indices.contains(months) else { return 0 }
    let cell = known[months]
    return switch part {
    case .retained: cell.retained.lines
    case .of: cell.of.lines
    case .lost: cell.of.lines - cell.retained.lines
    }
  }

  /// MRR of a cell: for `retained` at that instant, for `of` when first paid; `nil` for `lost`.
  func amounts(
    _ part: CohortCell.Part, months: Int, of month: CivilMonth, in reporting: CurrencyCode?
  ) -> Amounts? {
    guard let known = cells[month], known.indices.contains(months) else { return Amounts(in: reporting) }
    return switch part {
    case .retained: known[months].retained.amounts(in: reporting)
    case .of: known[months].of.amounts(in: reporting)
    case .lost: nil
    }
  }

  func figures(in reporting: CurrencyCode?) -> FigureValues {
    var figures = FigureValues()
    figures[parts: "rows"] = []
    for (month, cells) in cells.sorted(by: { $0.key < $1.key }) {
      guard let start = cells.first, start.of.lines > 0 else { continue }
      let mrr = start.of.amounts(in: reporting)
      let retained = cells.enumerated().prefix { $0.element.of.lines > 0 }.map { months, cell in
        FigureValues(
          months: months, lines: cell.retained.lines, of: cell.of.lines, cohort: start.of.lines,
          mrr: cell.retained.amounts(in: reporting), mrrOf: cell.of.amounts(in: reporting))
      }
      figures[parts: "rows"].append(
        FigureValues(month: month, lines: start.of.lines, mrr: mrr, retained: retained))
    }
    return figures
  }
}
