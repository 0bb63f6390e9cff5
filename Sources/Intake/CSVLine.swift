import AppStore

/// Parser for one line of comma-separated values (RFC 4180), whose fields cannot contain a line break.
enum CSVLine {
  static let comma = UInt8(ascii: ",")
  private static let strayQuote = UnreadableAnswer(reason: "a quote is misplaced")

  static func fields(
    of line: [UInt8], separatedBy separator: UInt8 = comma, count: Int? = nil
  ) throws(UnreadableAnswer) -> [String] {
    // SQLite would truncate the text at the NUL byte.
    guard !line.contains(0) else { throw UnreadableAnswer(reason: "it contains a NUL byte") }
    // Separators are not trimmed, because a tab at either end may be one.
    var rest = trimmed(line[...], of: { isBlank($0) && $0 != separator })
    guard !rest.contains(UInt8(ascii: "\r")) else {
      throw UnreadableAnswer(reason: "it contains a line break")
    }
    var fields: [String] = []
    while true {
      fields.append(try takeField(&rest, separator))
      guard let end = rest.popFirst() else { break }
      guard end == separator else { throw strayQuote }
    }
    if let count, fields.count != count {
      throw UnreadableAnswer(reason: "it has \(fields.count) fields instead of \(count)")
    }
    return fields
  }

  private static func takeField(
    _ rest: inout ArraySlice<UInt8>, _ separator: UInt8
  ) throws(UnreadableAnswer) -> String {
    guard rest.first == UInt8(ascii: "\"") else {
      let field = rest.prefix { $0 != separator }
      guard !field.contains(UInt8(ascii: "\"")) else { throw strayQuote }
      rest = rest[field.endIndex...]
      return try text(field)
    }
    rest.removeFirst()
    var field: [UInt8] = []
    while let quote = rest.firstIndex(of: UInt8(ascii: "\"")) {
      field += rest[..<quote]
      rest = rest[(quote + 1)...]
      guard rest.first == UInt8(ascii: "\"") else { return try text(field[...]) }
      field.append(UInt8(ascii: "\""))
      rest.removeFirst()
    }
    throw UnreadableAnswer(reason: "a quote is not closed")
  }

  private static func text(_ bytes: ArraySlice<UInt8>) throws(UnreadableAnswer) -> String {
    guard let text = String(validating: trimmed(bytes), as: UTF8.self) else {
      throw UnreadableAnswer(reason: "it is not UTF-8 text")
    }
    return text
  }

  private static func trimmed(
    _ bytes: ArraySlice<UInt8>, of isLeftOut: (UInt8) -> Bool = isBlank
  ) -> ArraySlice<UInt8> {
    guard let first = bytes.firstIndex(where: { !isLeftOut($0) }),
      let last = bytes.lastIndex(where: { !isLeftOut($0) })
    else { return [] }
    return bytes[first...last]
  }
}
