import FoundationEssentials
import Screen
import Subscriptions

/// Returns JSON for output: sorted snake_case keys, so that two runs can be compared line by line. Characters
/// that could control a terminal are escaped, which changes no value.
func jsonText(_ value: some Encodable) throws -> String {
  let encoder = JSONEncoder()
  encoder.keyEncodingStrategy = .convertToSnakeCase
  encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
  let text = String(decoding: try encoder.encode(value), as: UTF8.self)
  return text.replacingCommands { scalar in
    // Line breaks are only between members; the encoder escapes those in strings.
    scalar == "\n" ? "\n" : String(scalar).utf16.map(unicodeEscape).joined()
  }
}

/// Returns a Unicode escape of JSON and TOML.
func unicodeEscape(_ unit: UInt16) -> String {
  let digits = String(unit, radix: 16)
  return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
}

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
