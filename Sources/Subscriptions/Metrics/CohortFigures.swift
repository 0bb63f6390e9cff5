/// METRICS §5, Cohorts: lines by the month in which they were first paid, and how many of them were paid so many months later.
public struct CohortFigures: Hashable, Sendable, Encodable {
  public struct Cohort: Hashable, Sendable, Encodable {
    /// UTC, of the first instant at which its lines were paid.
    public var month: CivilMonth
    public var lines: Int
    /// What they brought a month then.
    public var mrr: Amounts
    /// From 0 months on.
    public var retained: [Cell]

    public init(month: CivilMonth, lines: Int = 0, mrr: Amounts = Amounts(), retained: [Cell] = []) {
      (self.month, self.lines, self.mrr, self.retained) = (month, lines, mrr, retained)
    }
  }

  public struct Cell: Hashable, Sendable, Encodable {
    /// Calendar months after the first paid instant.
    public var months: Int
    /// Paid then.
    public var lines: Int
    /// Those for whom that instant has come.
    public var of: Int
    /// Nil where it has not come for the whole cohort.
    @ExplicitNull public var rate: Double?
    /// What the lines paid then bring a month.
    public var mrr: Amounts
    /// What those for whom that instant has come brought at first.
    public var mrrOf: Amounts

    public init(
      months: Int, lines: Int, of: Int, cohort: Int, mrr: Amounts = Amounts(), mrrOf: Amounts = Amounts()
    ) {
      (self.months, self.lines, self.of, self.mrr, self.mrrOf) = (months, lines, of, mrr, mrrOf)
      rate = of == cohort && cohort > 0 ? Double(lines) / Double(cohort) : nil
    }
  }

  /// The oldest first, months without a line left out.
  public var rows: [Cohort] = []

  public init() {}
}

extension CohortFigures {
  /// What is kept on average so many months after the start: of the cohorts that are full there, each as often as it counts. Nil where
  /// none is.
  public func average(
    after months: Int, kept: (Cell) -> Int128 = { Int128($0.lines) },
    of whole: (Cell) -> Int128 = { Int128($0.of) }
  ) -> (share: Double?, cohorts: Int) {
    let full = rows.flatMap(\.retained).filter { $0.months == months && $0.rate != nil && whole($0) > 0 }
    let (kept, all) = full.reduce((Int128(0), Int128(0))) {
      ($0.0 + kept($1), $0.1 + whole($1))
    }
    return (full.isEmpty ? nil : Double(kept) / Double(all), full.count)
  }
}
