import Subscriptions

extension Sample {
  /// Cohorts of two years with growing retention, except for a cheap campaign in March 2026.
  static var cohorts: CohortFigures {
    var figures = CohortFigures()
    let now = CivilMonth(of: now)
    figures.rows = (0...25).map { age in cohort(now.adding(months: age - 25), reaching: 25 - age) }
    return figures
  }

  static let origins = [
    CohortOrigin(
      .production, product: monthly, storefront: StorefrontCode("USA"), kind: .standard, offer: nil),
    CohortOrigin(.production, product: yearly, storefront: StorefrontCode("DEU"), kind: .intro, offer: nil),
    CohortOrigin(.production, product: yearly, storefront: nil, kind: .code, offer: "FRIEND"),
  ]

  private static func cohort(_ month: CivilMonth, reaching age: Int) -> CohortFigures.Cohort {
    let isCampaign = month == CivilMonth(parsing: "2026-03")
    let lines = 84 + (25 - age) * 5 + [0, 14, 37, 9, 22][month.index % 5] + (isCampaign ? 160 : 0)
    var cohort = CohortFigures.Cohort(month: month, lines: lines, mrr: monthly(lines))
    cohort.retained = (0...age).map { months in
      // In the last month, only lines that started by this day of the month are old enough.
      let of = months == age && age > 0 ? lines * 19 / 30 : lines
      let kept = retained(percent: months, better: 25 - age, isCampaign: isCampaign)
      let lines = of * kept / 1000
      return CohortFigures.Cell(
        months: months, lines: lines, of: of, cohort: cohort.lines, mrr: monthly(lines, raised: months > 5),
        mrrOf: monthly(of))
    }
    return cohort
  }

  /// Retained lines per thousand.
  private static func retained(percent months: Int, better: Int, isCampaign: Bool) -> Int {
    guard months > 0 else { return 1000 }
    let kept = (isCampaign ? 420 : 690) + better * 6
    return max(60, kept * 100 / (100 + months * 7))
  }

  /// Five of six lines pay in dollars.
  private static func monthly(_ lines: Int, raised: Bool = false) -> Amounts {
    let (dollars, euros) = (lines * 5 / 6, lines - lines * 5 / 6)
    return Amounts([usd(Int64(dollars) * (raised ? 1099 : 999)), eur(Int64(euros) * 899)])
  }
}
