import Screen
import Subscriptions

/// Figures for the screen, made from their paths. Each opens its rows.
extension FigureValues {
  func count(_ label: String, _ path: String, _ style: Style = .strong) -> Figure {
    .count(label, self[path], style, opens: path)
  }

  func part(_ label: String, _ path: String, _ style: Style = .text) -> Figure {
    .part(label, self[path], style, opens: path)
  }

  func share(_ label: String, _ path: String, _ style: Style) -> Share {
    Share(label, self[path], style, opens: path)
  }

  /// - Parameters:
  ///   - count: Number of things that the amounts belong to.
  ///   - report: Report with the trend to show beside the amounts; `nil` shows none.
  func money(
    _ label: String, _ path: String, of count: Int, isPart: Bool = false, in report: Report? = nil,
    _ glyphs: GlyphSet = .unicode
  ) -> [Figure] {
    Figure.money(label, self[amounts: path], of: count, isPart: isPart, opens: path) {
      report?.timeSeries(path, $0, in: glyphs)
    }
  }

  /// Returns the number of rows of each figure.
  func counted(_ paths: [String]) -> [(String, Int)] { paths.map { ($0, self[$0]) } }
}

extension Figure {
  /// Returns a copy with the trend of the figure that it opens.
  func following(_ report: Report, in glyphs: GlyphSet) -> Figure {
    guard case .rows(let breakdown)? = drillDown, let path = breakdown.figures.first else { return self }
    return following(report.timeSeries(path, in: glyphs))
  }
}

extension Report {
  /// Returns the trend of a figure. Its style shows whether the change is good.
  func timeSeries(_ path: String, _ currency: CurrencyCode? = nil, in glyphs: GlyphSet) -> TimeSeries? {
    let rise = report.rise(of: path)
    return report.happens(path)
      ? trend.flow(path, currency, rise: rise, in: glyphs)
      : trend.state(path, currency, rise: rise, in: glyphs)
  }
}
