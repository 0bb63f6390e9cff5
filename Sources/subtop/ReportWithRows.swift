import Subscriptions

/// A report as JSON with what its figures are made of: the report's keys, and `rows` beside them.
struct ReportWithRows: Encodable {
  let report: Report
  /// The figure that the rows are behind; nil where they are behind any.
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
