/// Cohorts by the month of the first payment (`rows`), each with its `retained` lines by age in months.
extension FigureValues {
  /// Month in which the lines of a cohort were first paid, UTC.
  public var month: CivilMonth? { self[text: "month"].flatMap { CivilMonth(parsing: $0) } }

  /// Creates a cell; `size` counts all lines of the cohort, `of` only those that have reached the age.
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

  /// Returns the retained share of the cohorts that have fully reached an age, and their number.
  ///
  /// The share is `nil` if these cohorts have fewer than ten lines, or less than 5 % of all lines. The
  /// closures `kept` and `whole` get a cell and return the numerator and the denominator of its share; by
  /// default they return numbers of lines.
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
    let lines = self[parts: "rows"].reduce(0) { $0 + $1["lines"] }
    return (
      full.reduce(0) { $0 + $1["of"] } < max(10, lines / 20) ? nil : Double(kept) / Double(all), full.count
    )
  }
}
