import Subscriptions

extension Sample {
  /// Window with unusually many failed payments in the week from 2026-11-02.
  static var recovery: FigureValues {
    var figures = FigureValues()
    let products = [
      (weekly, 96, 51, 14, 31), (monthly, 61, 39, 9, 13), (yearly, 14, 9, 4, 1), (european, 12, 5, 4, 3),
    ].map { id, entered, recovered, retrying, lost in
      part("product_id", id.rawValue, entered, recovered, retrying, lost)
    }
    setOutcomes(183, 104, 31, 48, to: &figures)
    for name in outcomes {
      figures[amounts: "mrr.\(name)"] = sum(
        products.map { monthlyRevenue($0["outcomes.\(name)"], of: $0.product) })
    }
    figures[parts: "curve"] = curve([(38, 181), (61, 176), (84, 169), (98, 160), (91, 140), (82, 121)])
    figures[parts: "curve_before"] = curve([
      (19, 118), (35, 119), (51, 121), (66, 124), (70, 117), (69, 108),
    ])
    setOutcomes(74, 46, 11, 17, to: &figures, "with_grace.outcomes.")
    figures[parts: "with_grace.curve"] = curve([
      (18, 74), (29, 72), (38, 69), (45, 66), (42, 58), (36, 47),
    ])
    setOutcomes(109, 58, 20, 31, to: &figures, "without_grace.outcomes.")
    figures[parts: "without_grace.curve"] = curve([
      (20, 107), (32, 104), (46, 100), (53, 94), (49, 82), (46, 74),
    ])
    figures[parts: "by_product"] = products
    figures[parts: "by_month"] = [("2026-10", 58, 37, 5, 16), ("2026-11", 125, 67, 26, 32)].map {
      part("month", $0, $1, $2, $3, $4)
    }
    figures[parts: "by_week"] = [
      ("2026-10-19", 12, 8, 0, 4), ("2026-10-26", 49, 31, 2, 16), ("2026-11-02", 76, 44, 10, 22),
      ("2026-11-09", 24, 13, 7, 4), ("2026-11-16", 22, 8, 12, 2),
    ].map { part("week", $0, $1, $2, $3, $4) }
    figures[parts: "standing"] = [(0, 3, 9), (3, 7, 8), (7, 14, 7), (14, 30, 12), (30, nil, 8)].map {
      from, to, lines in
      var band = FigureValues()
      (band["from_days"], band["lines"]) = (from, lines)
      band[value: "to_days"] = to.map { .count($0) }
      band[amounts: "mrr"] = sum([
        monthlyRevenue(lines - lines / 4, of: monthly), monthlyRevenue(lines / 4, of: european),
      ])
      return band
    }
    return figures
  }

  private static let outcomes = ["entered", "recovered", "still_retrying", "lost"]

  private static func setOutcomes(
    _ counts: Int..., to figures: inout FigureValues, _ prefix: String = ""
  ) {
    for (name, count) in zip(outcomes, counts) { figures["\(prefix)\(name)"] = count }
  }

  static func part(
    _ key: String, _ id: String, _ entered: Int, _ recovered: Int, _ retrying: Int, _ lost: Int
  ) -> FigureValues {
    var part = FigureValues()
    part[text: key] = id
    setOutcomes(entered, recovered, retrying, lost, to: &part, "outcomes.")
    return part
  }

  static func curve(_ points: [(Int, Int)]) -> [FigureValues] {
    zip(Recovery.days, points).map { days, point in
      var values = FigureValues()
      (values["days"], values["recovered"], values["of"]) = (days, point.0, point.1)
      values[share: "rate"] = point.1 == 0 ? nil : Double(point.0) / Double(point.1)
      return values
    }
  }
}
