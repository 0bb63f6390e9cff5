import FoundationEssentials
import Screen

/// JSON as every command prints it: snake_case keys, sorted, so that two runs can be compared line by line. What would
/// command a terminal is escaped, which changes no value.
func jsonText(_ value: some Encodable) throws -> String {
  let encoder = JSONEncoder()
  encoder.keyEncodingStrategy = .convertToSnakeCase
  encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
  let text = String(decoding: try encoder.encode(value), as: UTF8.self)
  return text.replacingCommands { scalar in
    // The line breaks are those between members: the encoder escapes those within text.
    scalar == "\n" ? "\n" : String(scalar).utf16.map(unicodeEscape).joined()
  }
}

/// As JSON and TOML write what cannot stand in a text.
func unicodeEscape(_ unit: UInt16) -> String {
  let digits = String(unit, radix: 16)
  return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
}
