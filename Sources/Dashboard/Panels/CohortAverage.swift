import Subscriptions

/// What is kept on average so many months after the start, by a measure.
struct CohortAverage: Hashable, Sendable {
  /// Nil where nothing is full.
  let share: Double?
  let cohorts: Int

  init(_ figures: CohortFigures, after months: Int, by measure: CohortMeasure) {
    (share, cohorts) = figures.average(
      after: months, kept: { measure.number($0.lines, $0.mrr) }, of: { measure.number($0.of, $0.mrrOf) })
  }
}
