import Subscriptions

extension Sample {
  /// Window in which a card network failed for a week.
  static var recovery: RecoveryFigures {
    var figures = RecoveryFigures()
    figures.byProduct = [
      (weekly, 96, 51, 14, 31), (monthly, 61, 39, 9, 13), (yearly, 14, 9, 4, 1), (european, 12, 5, 4, 3),
    ].map { id, entered, recovered, retrying, lost in
      var product = RecoveryFigures.ByProduct(id)
      product.outcomes = outcomes(entered, recovered, retrying, lost)
      return product
    }
    figures.byMonth = [("2026-10", 58, 37, 5, 16), ("2026-11", 125, 67, 26, 32)].compactMap {
      name, entered, recovered, retrying, lost in
      guard let month = CivilMonth(parsing: name) else { return nil }
      var part = RecoveryFigures.ByMonth(month)
      part.outcomes = outcomes(entered, recovered, retrying, lost)
      return part
    }
    figures.byWeek = [
      ("2026-10-19", 12, 8, 0, 4), ("2026-10-26", 49, 31, 2, 16), ("2026-11-02", 76, 44, 10, 22),
      ("2026-11-09", 24, 13, 7, 4), ("2026-11-16", 22, 8, 12, 2),
    ].map { name, entered, recovered, retrying, lost in
      var part = RecoveryFigures.ByWeek(name)
      part.outcomes = outcomes(entered, recovered, retrying, lost)
      return part
    }
    (figures.entered, figures.recovered, figures.stillRetrying, figures.lost) = (183, 104, 31, 48)
    figures.mrr.entered = revenue(\.entered, figures)
    figures.mrr.recovered = revenue(\.recovered, figures)
    figures.mrr.stillRetrying = revenue(\.stillRetrying, figures)
    figures.mrr.lost = revenue(\.lost, figures)
    figures.curve = curve([(38, 181), (61, 176), (84, 169), (98, 160), (91, 140), (82, 121)])
    figures.curveBefore = curve([(19, 118), (35, 119), (51, 121), (66, 124), (70, 117), (69, 108)])
    figures.withGrace.outcomes = outcomes(74, 46, 11, 17)
    figures.withGrace.curve = curve([(18, 74), (29, 72), (38, 69), (45, 66), (42, 58), (36, 47)])
    figures.withoutGrace.outcomes = outcomes(109, 58, 20, 31)
    figures.withoutGrace.curve = curve([(20, 107), (32, 104), (46, 100), (53, 94), (49, 82), (46, 74)])
    figures.standing = [(0, 3, 9), (3, 7, 8), (7, 14, 7), (14, 30, 12), (30, nil, 8)].map { from, to, lines in
      var band = RecoveryFigures.Standing(from: from, to: to)
      band.lines = lines
      band.mrr = sum([
        monthlyRevenue(lines - lines / 4, of: monthly), monthlyRevenue(lines / 4, of: european),
      ])
      return band
    }
    return figures
  }

  /// Figures with too few lines in grace for a comparison.
  static var recoveryWithoutGrace: RecoveryFigures {
    var figures = recovery
    figures.withGrace.outcomes = outcomes(12, 7, 2, 3)
    figures.withGrace.curve = curve([(2, 12), (4, 12), (5, 11), (6, 10), (6, 9), (5, 7)])
    return figures
  }

  static func outcomes(
    _ entered: Int, _ recovered: Int, _ retrying: Int, _ lost: Int
  ) -> RecoveryFigures.Outcomes {
    var outcomes = RecoveryFigures.Outcomes()
    (outcomes.entered, outcomes.recovered, outcomes.stillRetrying, outcomes.lost) = (
      entered, recovered, retrying, lost
    )
    return outcomes
  }

  static func curve(_ points: [(Int, Int)]) -> [RecoveryFigures.Point] {
    zip(RecoveryFigures.days, points).map { .init(days: $0, recovered: $1.0, of: $1.1) }
  }

  private static func revenue(
    _ part: KeyPath<RecoveryFigures.Outcomes, Int>, _ figures: RecoveryFigures
  ) -> Amounts {
    sum(figures.byProduct.map { monthlyRevenue($0.outcomes[keyPath: part], of: $0.productId) })
  }
}
