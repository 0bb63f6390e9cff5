extension RecoveryFigures {
  init(_ counts: EpisodeCounts) {
    self.init()
    let all = Outcomes(counts, "")
    (entered, recovered, stillRetrying, lost) = (all.entered, all.recovered, all.stillRetrying, all.lost)
    mrr.entered = counts["entered"].amounts
    mrr.recovered = counts["recovered"].amounts
    mrr.stillRetrying = counts["still_retrying"].amounts
    mrr.lost = counts["lost"].amounts
    curve = Point.curve(counts, "curve")
    curveBefore = Point.curve(counts, "curve_before")
    withGrace = Part(counts, "with_grace")
    withoutGrace = Part(counts, "without_grace")
    byProduct = counts.products("entered").map { product in
      var part = ByProduct(product)
      part.outcomes = Outcomes(counts, "", product)
      return part
    }.filter { $0.outcomes.entered != 0 }.sorted { left, right in
      left.outcomes.entered == right.outcomes.entered
        ? left.productId < right.productId : left.outcomes.entered > right.outcomes.entered
    }
    byMonth = Self.stretches(counts, "by_month").compactMap { name, outcomes in
      CivilMonth(parsing: name).map { month in
        var part = ByMonth(month)
        part.outcomes = outcomes
        return part
      }
    }
    byWeek = Self.stretches(counts, "by_week").map { name, outcomes in
      var part = ByWeek(name)
      part.outcomes = outcomes
      return part
    }
    standing = Self.bands.map { band in
      var part = Standing(from: band.from, to: band.to)
      let count = counts["standing.\(band.from)"]
      (part.lines, part.mrr) = (count.rows, count.amounts)
      return part
    }
  }

  /// Months or weeks in which any entered, the oldest first: their dates are in the order of their names.
  private static func stretches(_ counts: EpisodeCounts, _ split: String) -> [(name: String, Outcomes)] {
    let (prefix, suffix) = ("\(split).", ".entered")
    return counts.paths(prefix).filter { $0.hasSuffix(suffix) }.sorted().compactMap { path in
      let name = String(path.dropFirst(prefix.count).dropLast(suffix.count))
      let outcomes = Outcomes(counts, "\(prefix)\(name).")
      return outcomes.entered == 0 ? nil : (name, outcomes)
    }
  }
}

extension RecoveryFigures.Outcomes {
  fileprivate init(_ counts: EpisodeCounts, _ prefix: String, _ product: ProductID? = nil) {
    entered = counts["\(prefix)entered", product].rows
    recovered = counts["\(prefix)recovered", product].rows
    stillRetrying = counts["\(prefix)still_retrying", product].rows
    lost = counts["\(prefix)lost", product].rows
  }
}

extension RecoveryFigures.Point {
  fileprivate static func curve(_ counts: EpisodeCounts, _ path: String) -> [Self] {
    RecoveryFigures.days.map { days in
      let (recovered, all) = (counts["\(path).\(days).recovered"], counts["\(path).\(days).of"])
      var point = Self(days: days, recovered: recovered.rows, of: all.rows)
      (point.recoveredMrr, point.ofMrr) = (recovered.amounts, all.amounts)
      return point
    }
  }
}

extension RecoveryFigures.Part {
  fileprivate init(_ counts: EpisodeCounts, _ path: String) {
    outcomes = RecoveryFigures.Outcomes(counts, "\(path).outcomes.")
    curve = RecoveryFigures.Point.curve(counts, "\(path).curve")
  }
}
