/// Cohorts: parts `rows` by month, each with parts `retained` by the calendar months after the first paid instant.
extension FigureValues {
  /// Month in which the lines of a cohort were first paid, UTC.
  public var month: CivilMonth? { self[text: "month"].flatMap { CivilMonth(parsing: $0) } }

  /// Lines that a cell still has, those for whom its instant has come, and what both bring.
  ///
  /// - Parameter size: lines of the cohort, for all of whom the instant may not have come yet.
  public init(
    months: Int, lines: Int, of: Int, cohort size: Int, mrr: Amounts = Amounts(), mrrOf: Amounts = Amounts()
  ) {
    self.init()
    (self["months"], self["lines"], self["of"]) = (months, lines, of)
    self[share: "rate"] = of == size && size > 0 ? Double(lines) / Double(size) : nil
    (self[amounts: "mrr"], self[amounts: "mrr_of"]) = (mrr, mrrOf)
  }

  public init(month: CivilMonth, lines: Int, mrr: Amounts = Amounts(), retained: [FigureValues]) {
    self.init()
    (self[text: "month"], self["lines"]) = (month.description, lines)
    (self[amounts: "mrr"], self[parts: "retained"]) = (mrr, retained)
  }

  /// Average share kept so many months after the start, of the cohorts that are full there, each as often as it counts; `nil` if none is.
  public func average(
    after months: Int, kept: (FigureValues) -> Int128 = { Int128($0["lines"]) },
    of whole: (FigureValues) -> Int128 = { Int128($0["of"]) }
  ) -> (share: Double?, cohorts: Int) {
    let full = self[parts: "rows"].flatMap { $0[parts: "retained"] }.filter {
      $0["months"] == months && $0[share: "rate"] != nil && whole($0) > 0
    }
    let (kept, all) = full.reduce((Int128(0), Int128(0))) {
      ($0.0 + kept($1), $0.1 + whole($1))
    }
    return (full.isEmpty ? nil : Double(kept) / Double(all), full.count)
  }
}
