import Screen
import Subscriptions

/// The lines and transactions behind a report's figures, as a table for people.
///
/// - Parameter figure: the figure that they are behind; nil where they are behind any.
public func text(
  of rows: FigureRows, of report: Report, figure: String?, width: Int = 80, glyphs: GlyphSet = .unicode,
  zone: Zone = .utc
) -> String {
  let wording = Wording(glyphs: glyphs, zone: zone)
  return BlockText(width: width, glyphs: glyphs).text(
    of: [
      rows.block(
        panel: report.report, figure: figure, environment: report.scope.environment,
        uses: figure.flatMap(report.uses), in: wording)
    ], under: report.head(in: wording))
}
