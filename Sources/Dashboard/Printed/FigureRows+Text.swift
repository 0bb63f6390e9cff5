import Screen
import Subscriptions

/// Returns the rows behind a report's figures as a plain-text table.
///
/// - Parameter figure: Figure of the rows; `nil` for rows behind any figure.
public func text(
  of rows: FigureRows, of report: Report, figure: String?, width: Int = 80, glyphs: GlyphSet = .unicode,
  zone: Zone = .utc
) -> String {
  let formatter = DisplayFormatter(glyphs: glyphs, zone: zone)
  return BlockText(width: width, glyphs: glyphs).text(
    of: [
      rows.block(
        panel: report.report, figure: figure, environment: report.scope.environment,
        uses: figure.flatMap(report.uses), in: formatter)
    ], under: report.head(in: formatter))
}
