/// Number of lines and MRR of each cohort cell (METRICS §5, Cohorts).
public struct CohortCounts: Sendable {
  /// Lines and MRR by currency; the part `of` has the MRR at the first payment, and `lost` is not stored.
  private var sums: [CohortCell: [CurrencyCode?: RowSum]] = [:]

  public init() {}

  public mutating func add(
    _ sum: RowSum, _ currency: CurrencyCode?, to part: CohortCell.Part, months: Int, of month: CivilMonth
  ) {
    sums[CohortCell(month, months: months, part), default: [:]][currency, default: RowSum()] += sum
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
    for (cell, sum) in other.sums { sums[cell, default: [:]].merge(sum, uniquingKeysWith: +) }
  }

  public var firstPaid: Int {
    sums.keys.filter { $0.months == 0 && $0.part == .of }.reduce(0) { $0 + lines($1) }
  }

  public func lines(_ cell: CohortCell) -> Int {
    func rows(_ part: CohortCell.Part) -> Int {
      let sum = sums[CohortCell(cell.month, months: cell.months, part)] ?? [:]
      return Int(clamping: sum.values.reduce(0) { $0 &+ $1.rows })
    }
    return cell.part == .lost ? rows(.of) - rows(.retained) : rows(cell.part)
  }

  func amounts(_ cell: CohortCell, in reporting: CurrencyCode?) -> Amounts? {
    cell.part == .lost ? nil : Amounts(sums[cell] ?? [:], in: reporting)
  }

  func figures(in reporting: CurrencyCode?) -> FigureValues {
    var figures = FigureValues()
    figures[parts: "rows"] = []
    for month in Set(sums.keys.map(\.month)).sorted() {
      func lines(_ part: CohortCell.Part, _ months: Int) -> Int {
        self.lines(CohortCell(month, months: months, part))
      }
      func amounts(_ part: CohortCell.Part, _ months: Int) -> Amounts {
        self.amounts(CohortCell(month, months: months, part), in: reporting) ?? Amounts(in: reporting)
      }
      let size = lines(.of, 0)
      guard size > 0 else { continue }
      let retained = (0...CohortLife.mostMonths).prefix { lines(.of, $0) > 0 }.map { months in
        FigureValues(
          months: months, lines: lines(.retained, months), of: lines(.of, months), cohort: size,
          mrr: amounts(.retained, months), mrrOf: amounts(.of, months))
      }
      figures[parts: "rows"].append(
        FigureValues(month: month, lines: size, mrr: amounts(.of, 0), retained: retained))
    }
    return figures
  }
}
