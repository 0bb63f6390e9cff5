import Screen

/// A waterfall and what each of its bars opens.
struct FigureWaterfall: Hashable, Sendable {
  var chart: Waterfall
  /// One for each step.
  var openings: [Opening?]
}
