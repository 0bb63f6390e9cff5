import Screen

struct FigureWaterfall: Hashable, Sendable {
  var chart: Waterfall
  var openings: [Opening?]
}
