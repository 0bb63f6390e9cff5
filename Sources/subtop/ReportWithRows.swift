import Subscriptions

/// Report as JSON with the rows behind its figures: the report's keys, and `rows`.
struct ReportWithRows: Encodable {
  let report: Report
  /// Figure of the rows; `nil` for the rows of all figures.
  let figure: String?
  let rows: FigureRows

  private enum CodingKeys: String, CodingKey {
    case rows, rowsCount, figure
  }

  func encode(to encoder: any Encoder) throws {
    try report.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(figure, forKey: .figure)
    try container.encode(rows.count, forKey: .rowsCount)
    try container.encode(rows.rows, forKey: .rows)
  }
}
