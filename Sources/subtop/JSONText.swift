import FoundationEssentials
import Screen
import Subscriptions

/// Returns JSON with sorted snake_case keys, for comparison line by line, and escaped control characters.
func jsonText(_ value: some Encodable) throws -> String {
  let encoder = JSONEncoder()
  encoder.keyEncodingStrategy = .convertToSnakeCase
  encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
  let text = String(decoding: try encoder.encode(value), as: UTF8.self)
  return text.replacingCommands { scalar in
    // Line breaks occur only between members, because the encoder escapes line breaks in strings.
    scalar == "\n" ? "\n" : String(scalar).utf16.map(unicodeEscape).joined()
  }
}

func unicodeEscape(_ unit: UInt16) -> String {
  let digits = String(unit, radix: 16)
  return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
}

/// JSON of a value with additional members, which replace the value's own members of the same name.
struct JSONObject: Encodable {
  var value: (any Encodable)?
  let members: [String: any Encodable]

  func encode(to encoder: any Encoder) throws {
    try value?.encode(to: encoder)
    var container = encoder.container(keyedBy: NameKey.self)
    for (name, member) in members { try container.encode(member, forKey: NameKey(name)) }
  }
}
