import Subscriptions

extension Sample {
  /// Two years of cohorts with increasing retention, except after a cheap campaign in March 2026.
  static var cohorts: FigureValues {
    var figures = FigureValues()
    let now = CivilMonth(of: now)
    figures[parts: "rows"] = (0...25).map { age in cohort(now.adding(months: age - 25), reaching: 25 - age) }
    return figures
  }

  static let origins = [
    CohortOrigin(
      .production, product: monthly, storefront: StorefrontCode("USA"), kind: .standard, offer: nil),
    CohortOrigin(.production, product: yearly, storefront: StorefrontCode("DEU"), kind: .intro, offer: nil),
    CohortOrigin(.production, product: yearly, storefront: nil, kind: .code, offer: "FRIEND"),
  ]

  private static func cohort(_ month: CivilMonth, reaching age: Int) -> FigureValues {
    let isCampaign = month == CivilMonth(parsing: "2026-03")
    let lines = 84 + (25 - age) * 5 + [0, 14, 37, 9, 22][month.index % 5] + (isCampaign ? 160 : 0)
    let cells = (0...age).map { months in
      // Lines that have reached this age. In the current month only a part of the cohort has.
      let of = months == age && age > 0 ? lines * 19 / 30 : lines
      let kept = retained(percent: months, better: 25 - age, isCampaign: isCampaign)
      let retained = of * kept / 1000
      return FigureValues(
        months: months, lines: retained, of: of, cohort: lines, mrr: monthly(retained, raised: months > 5),
        mrrOf: monthly(of))
    }
    return FigureValues(month: month, lines: lines, mrr: monthly(lines), retained: cells)
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
