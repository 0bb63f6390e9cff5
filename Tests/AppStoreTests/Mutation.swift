import TestSupport

/// Changes JSON as a careless server, a broken line or somebody hostile would, the same way for the same seed.
struct Mutation {
  private var random: Seeded

  init(_ seed: UInt64) { random = Seeded(seed) }

  mutating func callAsFunction(_ bytes: [UInt8]) -> [UInt8] {
    (0..<Int.random(in: 1...3, using: &random)).reduce(bytes) { bytes, _ in once(bytes) }
  }

  private mutating func once(_ bytes: [UInt8]) -> [UInt8] {
    guard !bytes.isEmpty else { return Array("{}".utf8) }
    var bytes = bytes
    let place = Int.random(in: bytes.indices, using: &random)
    switch Int.random(in: 0..<8, using: &random) {
    case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
    case 1: bytes[place] = pick("\"\\{}[],: 0-9truefalsn\t.eE+")
    case 2: bytes.removeSubrange(place..<min(place + Int.random(in: 1...20, using: &random), bytes.count))
    case 3:
      let other = Int.random(in: bytes.indices, using: &random)
      let piece = Array(bytes[other..<min(other + Int.random(in: 1...60, using: &random), bytes.count)])
      bytes.insert(contentsOf: piece, at: place)
    case 4: bytes = Array(bytes[..<place])
    case 5, 6: bytes = replacingValue(in: bytes, after: place)
    default:
      bytes.insert(contentsOf: Self.tokens[Int.random(in: Self.tokens.indices, using: &random)], at: place)
    }
    return bytes
  }

  /// Puts another value behind the next colon, up to the comma or bracket that ends a simple one.
  private mutating func replacingValue(in bytes: [UInt8], after place: Int) -> [UInt8] {
    guard let colon = bytes[place...].firstIndex(of: UInt8(ascii: ":")) else { return bytes }
    let start = colon + 1
    let end = bytes[start...].firstIndex { Array(",}]".utf8).contains($0) } ?? bytes.endIndex
    return bytes[..<start] + Self.tokens[Int.random(in: Self.tokens.indices, using: &random)] + bytes[end...]
  }

  private mutating func pick(_ text: String) -> UInt8 { text.utf8.randomElement(using: &random) ?? 0x20 }

  private static let tokens: [[UInt8]] =
    [
      "null", "true", "false", "0", "1", "-1", "1.0", "1e3", "1e400", "-", "01", "9223372036854775808",
      "\"\"", "\"0\"",
      "\"1\"", "\"TRUE\"", "\"yes\"", "\"\\u0031\"", "\"\\ud800\"", "\"\\u0000\"", "\"\u{1}\"", "\"é\"", "{}",
      "[]", "[{}]",
      "[null]", "{\"a\":1}", "\"1767225600000\"", "1767225600000", "\"2026-01-01 00:00:00 Etc/GMT\"", ",",
      ":", "\"", "\\",
      "{", "}", "[", "]", "\"status\":0,", "\"product_id\":\"p\",", "\"x\":1,\"x\":1,", "\"bid\":\"b\",", " ",
      "\n",
      "\"latest_receipt_info\":[],", "\"password\":1,", "\"signedPayload\":1,", "\"app_user_id\":7,",
      "\"e\u{301}\":1,",
    ].map { Array($0.utf8) } + [[0xFF], [0x22, 0xC3, 0x22], [0xEF, 0xBB, 0xBF], [0]]
}
