import FoundationEssentials
import Screen
import Subscriptions

/// Table in the CSV format of RFC 4180.
struct CSVText {
  private(set) var text = ""

  init(_ header: [String]) { add(header) }

  /// Returns a table with a column for each name.
  ///
  /// A name is a key of the rows' JSON, or a key without its suffix `_ms` for an instant in ISO 8601.
  static func of(_ rows: some Encodable, _ names: [String]) throws -> String {
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    let objects = try JSONDecoder().decode([[String: CSVField]].self, from: encoder.encode(rows))
    var csv = CSVText(names)
    for object in objects { csv.add(names.map { object[$0]?.text ?? date($0, of: object) }) }
    return csv.text
  }

  private static func date(_ name: String, of object: [String: CSVField]) -> String {
    object["\(name)_ms"].flatMap { Int64($0.text) }.map { Instant(milliseconds: $0).iso8601 } ?? ""
  }

  mutating func add(_ fields: [String]) {
    text += fields.map(Self.quoted).joined(separator: ",") + "\r\n"
  }

  private static func quoted(_ raw: String) -> String {
    let field = defused(raw.withoutControls)
    guard field.utf8.contains(where: { [UInt8(ascii: ","), UInt8(ascii: "\"")].contains($0) }) else {
      return field
    }
    // Splits bytes, because a quote with a combining mark is another `Character`.
    let parts = field.utf8.split(separator: UInt8(ascii: "\""), omittingEmptySubsequences: false)
    return "\"" + parts.map { String(Substring($0)) }.joined(separator: "\"\"") + "\""
  }

  /// Puts an apostrophe before a field that a spreadsheet would run as a formula, except a negative number.
  private static func defused(_ field: String) -> String {
    let first = field.unicodeScalars.first { !$0.isCommanding }
    guard let first, starters.contains(first), !isNegative(field) else {
      return field
    }
    return "'" + field
  }

  /// Characters that begin a formula, with their full-width forms, which spreadsheets also accept.
  private static let starters: Set<Unicode.Scalar> = ["=", "+", "-", "@", "＝", "＋", "－", "＠"]

  private static func isNegative(_ field: String) -> Bool {
    let digits = field.utf8.dropFirst()
    return field.utf8.first == UInt8(ascii: "-") && Double(field) != nil
      && digits.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }
  }
}

private struct CSVField: Decodable {
  let text: String

  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      text = ""
    } else if let string = try? value.decode(String.self) {
      text = string
    } else if let number = try? value.decode(Int64.self) {
      text = "\(number)"
    } else if let flag = try? value.decode(Bool.self) {
      text = "\(flag)"
    } else {
      text = (try? value.decode([String].self))?.joined(separator: " ") ?? ""
    }
  }
}
