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
    byProduct = counts.outcomes.filter { $0.value.entered != 0 }.map { product, outcomes in
      var part = ByProduct(product)
      part.outcomes = outcomes
      return part
    }.sorted { left, right in
      left.outcomes.entered == right.outcomes.entered
        ? left.productId < right.productId : left.outcomes.entered > right.outcomes.entered
    }
    let (prefix, suffix) = ("by_month.", ".entered")
    byMonth = counts.paths(prefix).filter { $0.hasSuffix(suffix) }.compactMap { path in
      guard let month = CivilMonth(parsing: String(path.dropFirst(prefix.count).dropLast(suffix.count)))
      else {
        return nil
      }
      var part = ByMonth(month)
      part.outcomes = Outcomes(counts, "\(prefix)\(month).")
      return part.outcomes.entered == 0 ? nil : part
    }.sorted { $0.month < $1.month }
    standing = Self.bands.map { band in
      var part = Standing(from: band.from, to: band.to)
      let count = counts["standing.\(band.from)"]
      (part.lines, part.mrr) = (count.rows, count.amounts)
      return part
    }
  }
}

extension RecoveryFigures.Outcomes {
  fileprivate init(_ counts: EpisodeCounts, _ prefix: String) {
    entered = counts["\(prefix)entered"].rows
    recovered = counts["\(prefix)recovered"].rows
    stillRetrying = counts["\(prefix)still_retrying"].rows
    lost = counts["\(prefix)lost"].rows
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
