import Subscriptions

/// What is kept on average so many months after the start: of the cohorts that are full there, each as often as it counts.
struct CohortAverage: Hashable, Sendable {
  /// Nil where nothing is full.
  let share: Double?
  let cohorts: Int

  init(_ figures: CohortFigures, after months: Int, by measure: CohortMeasure) {
    let full = figures.rows.flatMap(\.retained).filter { $0.months == months && $0.rate != nil }
      .map { (measure.number($0.lines, $0.mrr), measure.number($0.of, $0.mrrOf)) }.filter { $0.1 > 0 }
    cohorts = full.count
    let (kept, whole) = full.reduce((Int128(0), Int128(0))) { ($0.0 + Int128($1.0), $0.1 + Int128($1.1)) }
    share = full.isEmpty ? nil : Double(kept) / Double(whole)
  }
}
