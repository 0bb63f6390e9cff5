import Screen

/// A table as RFC 4180 has it.
struct CSVText {
  private(set) var text = ""

  init(_ header: [String]) { add(header) }

  static func of<Row>(_ rows: [Row], _ columns: [(name: String, field: (Row) -> String)]) -> String {
    var csv = CSVText(columns.map(\.name))
    for row in rows { csv.add(columns.map { $0.field(row) }) }
    return csv.text
  }

  mutating func add(_ fields: [String]) {
    text += fields.map(Self.quoted).joined(separator: ",") + "\r\n"
  }

  /// Quotes a field. Ids stay exact except for controls, which could command a terminal, and formulas.
  private static func quoted(_ raw: String) -> String {
    let field = defused(raw.withoutControls)
    guard field.utf8.contains(where: { [UInt8(ascii: ","), UInt8(ascii: "\"")].contains($0) }) else {
      return field
    }
    // By bytes, since a quote with a mark behind it is another character.
    let parts = field.utf8.split(separator: UInt8(ascii: "\""), omittingEmptySubsequences: false)
    return "\"" + parts.map { String(Substring($0)) }.joined(separator: "\"\"") + "\""
  }

  /// A field that a spreadsheet would run as a formula begins with an apostrophe; a negative number is left alone.
  private static func defused(_ field: String) -> String {
    // Spreadsheets may drop invisible characters.
    let first = field.unicodeScalars.first { !$0.isCommanding }
    guard let first, starters.contains(first), !isNegative(field) else {
      return field
    }
    return "'" + field
  }

  /// The wide forms are those of East Asian keyboards, which spreadsheets take for the narrow ones.
  private static let starters: Set<Unicode.Scalar> = ["=", "+", "-", "@", "＝", "＋", "－", "＠"]

  private static func isNegative(_ field: String) -> Bool {
    let digits = field.utf8.dropFirst()
    return field.utf8.first == UInt8(ascii: "-") && Double(field) != nil
      && digits.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }
  }
}
