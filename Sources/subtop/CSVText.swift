/// A table as RFC 4180 has it.
struct CSVText {
  private(set) var text = ""

  init(_ header: [String]) { add(header) }

  mutating func add(_ fields: [String]) {
    text += fields.map(Self.quoted).joined(separator: ",") + "\r\n"
  }

  /// A field that a spreadsheet would run as a formula is defused with an apostrophe; a negative number is left alone.
  private static func quoted(_ raw: String) -> String {
    let field = harmless(raw)
    let runs = field.first.map { "=+-@\t\r".contains($0) } ?? false
    let safe = runs && Int64(field) == nil ? "'" + field : field
    guard safe.contains(where: { ",\"\n\r\r\n".contains($0) }) else { return safe }
    return "\"" + safe.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
      + "\""
  }

  /// What commands a terminal is replaced: CSV is looked at as often as it is read.
  private static func harmless(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isControl) else { return text }
    return String(String.UnicodeScalarView(text.unicodeScalars.map { isControl($0) ? "\u{FFFD}" : $0 }))
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    [.control, .format, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
  }
}
